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
    const { id } = await createOnce(['developer', developer], (options) =>
      operator.developers.create(developer, options),
    );
    location.hash = hrefOf(['developers', id]);
  };
  return (
    <details class="issue">
      <summary>Add a developer</summary>
      <Form label="Add a developer" submitLabel="Add" send={send} fieldOf={{ already_exists: '/id' }}>
        <DeveloperFields />
        <TextField
          name="/id"
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
  const [id, firstName, lastName] = [text('/id'), text('/firstName'), text('/lastName')];
  return {
    email: text('/email'),
    ...(id && { id }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
  };
}
