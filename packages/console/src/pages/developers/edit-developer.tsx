import type { DeveloperUpdate, OperatorDeveloper } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';
import { DeveloperFields } from './developer-fields.tsx';

/** Edits the names and the email address of a developer. */
export function EditDeveloper({ developer, onChange }: { developer: OperatorDeveloper; onChange: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (!useHasScope('portal')) return null;
  const send = async (values: FormValues) => {
    await operator.developers.update(developer.id, changesOf(developer, values));
    details.current?.querySelector('summary')?.focus();
    setOpen(false);
    onChange();
  };
  return (
    <details class="issue" ref={details} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Edit the developer</summary>
      {isOpen && (
        <Form label="Edit the developer" submitLabel="Save" send={send}>
          <DeveloperFields developer={developer} />
        </Form>
      )}
    </details>
  );
}

/** Sends only what was edited: another client may have changed the rest meanwhile. */
function changesOf(developer: OperatorDeveloper, { text }: FormValues): DeveloperUpdate {
  const [email, firstName, lastName] = [text('/email'), text('/firstName'), text('/lastName')];
  return {
    ...(email !== developer.email && { email }),
    ...(firstName !== (developer.firstName ?? '') && { firstName: firstName || null }),
    ...(lastName !== (developer.lastName ?? '') && { lastName: lastName || null }),
  };
}
