import { useState } from 'preact/hooks';
import { redeliverSince } from '../../api/operations.ts';
import { Refused } from '../../parts/refused.tsx';
import { useAction } from '../../use-action.ts';

/** For a receiver that has lost what it was sent. */
export function RedeliverSince({ webhookId, onChange }: { webhookId: string; onChange: () => void }) {
  const [since, setSince] = useState('');
  const [count, setCount] = useState<number>();
  const { isAsking, refusal, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setCount(undefined);
    void run(async () => {
      // Without a zone it is the time of whoever looks, as all that the page shows.
      setCount((await redeliverSince(webhookId, new Date(since))).deliveriesRedelivered);
      onChange();
    });
  };
  return (
    <details class="issue">
      <summary>Redeliver all since a time</summary>
      <form onSubmit={submit}>
        <label>
          Queued at this time or later, also what was delivered
          <input
            type="datetime-local"
            required
            value={since}
            onInput={({ currentTarget }) => setSince(currentTarget.value)}
          />
        </label>
        <div>
          <button type="submit" disabled={isAsking}>
            Redeliver all
          </button>
        </div>
        <p class="said" role="status">
          {isAsking && 'The deliveries are queued anew…'}
          {count !== undefined &&
            `${count.toLocaleString()} ${count === 1 ? 'delivery is' : 'deliveries are'} made again.`}
        </p>
        {refusal && <Refused refusal={refusal} />}
      </form>
    </details>
  );
}
