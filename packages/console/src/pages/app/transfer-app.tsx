import type { OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { useHasScope } from '../../scopes.ts';

/** Gives an app to another developer. An approved app then awaits a decision. */
export function TransferApp({ app, onDone }: { app: OperatorApp; onDone: () => void }) {
  const [isDone, setDone] = useState(false);
  if (!useHasScope('admin')) return null;
  const send = async ({ text }: FormValues) => {
    setDone(false);
    await operator.apps.transfer(app.id, { developerId: text('/developerId') });
    setDone(true);
    onDone();
  };
  return (
    <details class="issue">
      <summary>Transfer to another developer</summary>
      <Form
        label="Transfer to another developer"
        submitLabel="Transfer"
        isDangerous
        send={send}
        fieldOf={{ developer_not_found: '/developerId' }}
      >
        <DeveloperField name="/developerId" label="New developer" required />
      </Form>
      <p class="status" role="status">
        {isDone && 'App transferred to the new developer.'}
      </p>
    </details>
  );
}
