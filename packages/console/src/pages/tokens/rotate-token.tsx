import type { ListedAccessToken } from '@appregistrar/client/operator';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { SelectField } from '../../parts/form/fields.tsx';
import type { FormValues } from '../../parts/form/form.tsx';

/** How long the old token stays valid, in seconds. */
const overlaps = [
  { seconds: 0, name: 'no longer' },
  { seconds: 3_600, name: '1 hour' },
  { seconds: 86_400, name: '24 hours' },
  { seconds: 7 * 86_400, name: '7 days' },
  { seconds: 30 * 86_400, name: '30 days' },
];

/** Replaces a token that is still valid by a new one. */
export function RotateToken({
  token: { id, name, status, replacedBy },
  onRotated,
}: {
  token: ListedAccessToken;
  onRotated: (secret: string) => void;
}) {
  if (status !== 'active' || replacedBy) return null;
  const send = async ({ text }: FormValues) => {
    const rotation = { overlap: Number(text('/overlap')) };
    const { token } = await createOnce(['rotation', id, rotation], (options) =>
      operator.tokens.rotate(id, rotation, options),
    );
    onRotated(token);
  };
  return (
    <DialogForm label="Rotate" subject={name ?? id} submitLabel="Rotate now" send={send}>
      <p>The new token has the same name, scopes, limits and lifetime. It is shown once.</p>
      <SelectField name="/overlap" label="The old token stays valid for" defaultValue="86400">
        {overlaps.map(({ seconds, name: overlap }) => (
          <option key={seconds} value={seconds}>
            {overlap}
          </option>
        ))}
      </SelectField>
    </DialogForm>
  );
}
