import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';

/** Redelivers to a receiver that has lost events. */
export function RedeliverSince({ webhookId, onChange }: { webhookId: string; onChange: () => void }) {
  const [since, setSince] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [count, setCount] = useState<number>();
  const { isPending, error, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setCount(undefined);
    void run(async () => {
      // Without a zone it is local time, like all times on the page.
      const redelivered = await operator.webhooks.redeliver(webhookId, {
        since: new Date(since).toISOString(),
        ...(isFailedOnly && { state: 'failed' }),
      });
      setCount(redelivered.deliveriesRedelivered);
      onChange();
    });
  };
  return (
    <details class="issue">
      <summary>Redeliver since a time</summary>
      <form onSubmit={submit}>
        <label>
          Queued at this time or later
          <input
            type="datetime-local"
            required
            value={since}
            onInput={({ currentTarget }) => setSince(currentTarget.value)}
          />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
          />
          Only failed deliveries
        </label>
        <div>
          <button type="submit" disabled={isPending}>
            Redeliver all
          </button>
        </div>
        <p class="status" role="status">
          {isPending && 'Queuing the deliveries…'}
          {count !== undefined && redeliveredText(count)}
        </p>
        {error && <RequestError error={error} />}
      </form>
    </details>
  );
}

export function redeliveredText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'delivery' : 'deliveries'} queued again.`;
}
