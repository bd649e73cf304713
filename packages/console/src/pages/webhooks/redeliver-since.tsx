import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';

/** Redelivers to a receiver that has lost events. */
export function RedeliverSince({ webhookId, onChange }: { webhookId: string; onChange: () => void }) {
  const [since, setSince] = useState('');
  const [count, setCount] = useState<number>();
  const { isPending, error, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setCount(undefined);
    void run(async () => {
      // Without a zone it is local time, like all times on the page.
      const redelivered = await operator.webhooks.redeliverSince(webhookId, { since: new Date(since).toISOString() });
      setCount(redelivered.deliveriesRedelivered);
      onChange();
    });
  };
  return (
    <details class="issue">
      <summary>Redeliver all since a time</summary>
      <form onSubmit={submit}>
        <label>
          Queued at this time or later, including delivered ones
          <input
            type="datetime-local"
            required
            value={since}
            onInput={({ currentTarget }) => setSince(currentTarget.value)}
          />
        </label>
        <div>
          <button type="submit" disabled={isPending}>
            Redeliver all
          </button>
        </div>
        <p class="status" role="status">
          {isPending && 'Queuing the deliveries…'}
          {count !== undefined && `${count.toLocaleString()} ${count === 1 ? 'delivery' : 'deliveries'} queued again.`}
        </p>
        {error && <RequestError error={error} />}
      </form>
    </details>
  );
}
