import type { DeveloperUpdate, OperatorDeveloper } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';
import { useEdit } from '../../use-edit.ts';
import { DeveloperFields } from './developer-fields.tsx';

/** Edits the names and the email address of a developer. */
export function EditDeveloper({ developer, onChange }: { developer: OperatorDeveloper; onChange: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { begin, save } = useEdit(developer, onChange);
  if (!useHasScope('portal')) return null;
  const send = async (values: FormValues) => {
    await save((opened, ifMatch) => operator.developers.update(opened.id, changesOf(opened, values), { ifMatch }));
    details.current?.querySelector('summary')?.focus();
    setOpen(false);
    onChange();
  };
  const toggle = (isNowOpen: boolean) => {
    if (isNowOpen) begin();
    setOpen(isNowOpen);
  };
  return (
    <details class="issue" ref={details} open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>Edit the developer</summary>
      {isOpen && (
        <Form label="Edit the developer" submitLabel="Save" send={send}>
          <DeveloperFields developer={developer} />
        </Form>
      )}
    </details>
  );
}

/** Only what was edited. */
function changesOf(developer: OperatorDeveloper, { text }: FormValues): DeveloperUpdate {
  const [email, firstName, lastName] = [text('/email'), text('/firstName'), text('/lastName')];
  return {
    ...(email !== developer.email && { email }),
    ...(firstName !== (developer.firstName ?? '') && { firstName: firstName || null }),
    ...(lastName !== (developer.lastName ?? '') && { lastName: lastName || null }),
  };
}
