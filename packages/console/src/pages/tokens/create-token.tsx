import type { AccessTokenWithSecret, NewAccessToken } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { ChoiceField, SelectField, TextField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';

type Kind = NewAccessToken['kind'];
type Scope = NonNullable<NewAccessToken['scopes']>[number];

const daySeconds = 86_400;
const permitted: Record<Scope, string> = {
  read: 'View',
  portal: 'Act for developers',
  review: 'Review apps',
  install: 'Manage installations only',
  admin: 'Do everything',
};
const scopes = Object.entries(permitted).map(([scope, permits]) => ({
  value: scope,
  label: (
    <>
      {permits} (<code>{scope}</code>)
    </>
  ),
}));

/** Issues a token for a person or a program. */
export function CreateToken({ onCreated }: { onCreated: (issued: AccessTokenWithSecret) => void }) {
  const [kind, setKind] = useState<Kind>('operator');
  const [issuedCount, setIssuedCount] = useState(0);
  const send = async (values: FormValues) => {
    const token = newToken(kind, values);
    onCreated(await createOnce(['token', token], (options) => operator.tokens.create(token, options)));
    setKind('operator');
    setIssuedCount(issuedCount + 1);
  };
  return (
    <details class="issue">
      <summary>Create a token</summary>
      <Form
        key={issuedCount}
        label="Create a token"
        submitLabel="Create"
        send={send}
        fieldOf={{ developer_not_found: '/developerId' }}
      >
        <SelectField
          name="/kind"
          label="Kind"
          defaultValue="operator"
          onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        >
          <option>operator</option>
          <option value="platform">platform (reads any app)</option>
          <option value="developer">developer (updates their own apps)</option>
        </SelectField>
        <TextField name="/name" label="Name (to identify it)" maxLength={100} dir="auto" autocomplete="off" />
        {kind === 'developer' && <DeveloperField name="/developerId" label="Developer" required />}
        {kind === 'operator' && <ChoiceField name="/scopes" label="Scopes" type="checkbox" choices={scopes} />}
        <TextField
          name="/expiresIn"
          label="Days until it expires"
          type="number"
          min={1}
          max={366}
          required
          defaultValue="90"
        />
      </Form>
    </details>
  );
}

function newToken(kind: Kind, { text, chosen }: FormValues): NewAccessToken {
  const [name, chosenScopes] = [text('/name'), chosen('/scopes') as Scope[]];
  return {
    kind,
    expiresIn: Number(text('/expiresIn')) * daySeconds,
    ...(name !== '' && { name }),
    ...(kind === 'developer' && { developerId: text('/developerId') }),
    ...(kind === 'operator' && chosenScopes.length > 0 && { scopes: chosenScopes }),
  };
}
