import { useRef, useState } from 'preact/hooks';
import { createOnce } from '../create-once.ts';
import { operator } from '../operator.ts';
import { DeveloperField } from '../parts/form/developer-field.tsx';
import { ChoiceField, TextField } from '../parts/form/fields.tsx';
import { Form, type FormValues } from '../parts/form/form.tsx';
import { hrefOf } from '../route.ts';

type Owner = 'known' | 'new';

/** Creates an app, and its developer if they are new, and opens its listing. */
export function NewAppForm({ owner: firstOwner, cancel }: { owner: Owner; cancel?: () => void }) {
  const [owner, setOwner] = useState(firstOwner);
  // A second try after the app was refused must not create the developer again.
  const created = useRef(new Map<string, string>()).current;
  const send = async ({ text }: FormValues) => {
    const email = text('/email');
    const developerId = owner === 'known' ? text('/developerId') : (created.get(email) ?? (await newDeveloper(email)));
    if (owner === 'new') created.set(email, developerId);
    const app = { developerId, name: text('/name') };
    const { id } = await createOnce(['app', app], (options) => operator.apps.create(app, options));
    location.hash = hrefOf(['apps', id, 'listing']);
  };
  return (
    <Form
      label="Create an app"
      submitLabel="Create the app"
      send={send}
      fieldOf={{ name_taken: '/name', developer_not_found: '/developerId' }}
      {...(cancel && { cancel })}
    >
      <TextField name="/name" label="App name" dir="auto" required maxLength={100} autocomplete="off" />
      <ChoiceField
        type="radio"
        name="/owner"
        label="Create it for"
        chosen={[owner]}
        onChoose={(value) => setOwner(value as Owner)}
        choices={[
          { value: 'new', label: 'A new developer' },
          { value: 'known', label: 'An existing developer' },
        ]}
      />
      {owner === 'known' ? (
        <DeveloperField key="known" name="/developerId" label="Developer" required />
      ) : (
        <TextField
          key="new"
          name="/email"
          label="Email address of the developer"
          type="email"
          required
          maxLength={254}
        />
      )}
    </Form>
  );
}

async function newDeveloper(email: string): Promise<string> {
  const { id: userId } = await createOnce(['developer', { email }], (options) =>
    operator.developers.create({ email }, options),
  );
  return userId;
}
