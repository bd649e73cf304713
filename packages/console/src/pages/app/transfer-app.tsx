import type { OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';

/** Gives an app to another developer. An approved app then awaits a decision. */
export function TransferApp({ app, onDone }: { app: OperatorApp; onDone: () => void }) {
  const [developerId, setDeveloperId] = useState('');
  const [isDone, setDone] = useState(false);
  const { isPending, error, run } = useAction();
  if (!useHasScope('admin')) return null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setDone(false);
    void run(async () => {
      await operator.apps.transfer(app.id, { developerId: developerId.trim() });
      setDeveloperId('');
      setDone(true);
      onDone();
    });
  };
  return (
    <details class="issue">
      <summary>Transfer to another developer</summary>
      <form onSubmit={submit}>
        <label>
          User id of the new developer
          <input
            value={developerId}
            required
            maxLength={100}
            onInput={({ currentTarget }) => setDeveloperId(currentTarget.value)}
          />
        </label>
        <div>
          <button type="submit" class="danger" disabled={isPending}>
            Transfer
          </button>
        </div>
        <p class="status" role="status">
          {isDone && 'App transferred to the new developer.'}
        </p>
        {error && <RequestError error={error} />}
      </form>
    </details>
  );
}
