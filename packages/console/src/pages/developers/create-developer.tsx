import type { NewDeveloper } from '@appregistrar/client/operator';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { TextField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { DeveloperFields } from './developer-fields.tsx';

/** Adds a developer, and opens their page. */
export function CreateDeveloper() {
  if (!useHasScope('portal')) return null;
  const send = async (values: FormValues) => {
    const developer = newDeveloper(values);
    const { userId } = await createOnce(['developer', developer], (options) =>
      operator.developers.create(developer, options),
    );
    location.hash = hrefOf(['developers', userId]);
  };
  return (
    <details class="issue">
      <summary>Add a developer</summary>
      <Form label="Add a developer" submitLabel="Add" send={send} fieldOf={{ already_exists: '/userId' }}>
        <DeveloperFields />
        <TextField
          name="/userId"
          label="User id"
          hint="The id that your platform has assigned to this person. Leave it empty to have one generated."
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
        />
      </Form>
    </details>
  );
}

function newDeveloper({ text }: FormValues): NewDeveloper {
  const [userId, firstName, lastName] = [text('/userId'), text('/firstName'), text('/lastName')];
  return {
    email: text('/email'),
    ...(userId && { userId }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
  };
}
