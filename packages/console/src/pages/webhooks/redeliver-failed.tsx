import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';
import { redeliveredText } from './redeliver-since.tsx';

const since = new Date(0).toISOString();

/** Redelivers everything that has failed, once the receiver works again. */
export function RedeliverFailed({ webhookId, onChange }: { webhookId: string; onChange: () => void }) {
  const [count, setCount] = useState<number>();
  const { isPending, error, run } = useAction();
  const redeliver = () =>
    run(async () => {
      const redelivered = await operator.webhooks.redeliver(webhookId, { since, state: 'failed' });
      setCount(redelivered.deliveriesRedelivered);
      onChange();
    });
  return (
    <div class="steps">
      <ConfirmedButton
        label="Redeliver all failed"
        confirmLabel="Redeliver now"
        disabled={isPending}
        onConfirm={redeliver}
      >
        <p>
          Each is sent again, with a new set of attempts. The receiver may get it after newer events of the same app.
        </p>
      </ConfirmedButton>
      <span class="status" role="status">
        {count !== undefined && redeliveredText(count)}
      </span>
      {error && <RequestError error={error} />}
    </div>
  );
}
