import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';
import { redeliveredText } from './redeliver-since.tsx';

const since = new Date(0).toISOString();
const texts = {
  failed: {
    label: 'Redeliver all failed',
    confirmLabel: 'Redeliver now',
    effect:
      'Each is sent again, with a new set of attempts. The receiver may get it after newer events of the same app.',
  },
  pending: {
    label: 'Retry all pending',
    confirmLabel: 'Retry now',
    effect: 'Each is due now, with a new set of attempts. Those of one app are still sent in order.',
  },
};

interface RedeliverAllProps {
  webhookId: string;
  state: keyof typeof texts;
  onChange: () => void;
}

/** Sends everything that has failed, or that awaits its next attempt, once the receiver works again. */
export function RedeliverAll({ webhookId, state, onChange }: RedeliverAllProps) {
  const [count, setCount] = useState<number>();
  const { isPending, error, run } = useAction();
  const { label, confirmLabel, effect } = texts[state];
  const redeliver = () =>
    run(async () => {
      const redelivered = await operator.webhooks.redeliver(webhookId, { since, state });
      setCount(redelivered.deliveriesRedelivered);
      onChange();
    });
  return (
    <div class="steps">
      <ConfirmedButton label={label} confirmLabel={confirmLabel} disabled={isPending} onConfirm={redeliver}>
        <p>{effect}</p>
      </ConfirmedButton>
      <span class="status" role="status">
        {count !== undefined && redeliveredText(count)}
      </span>
      {error && <RequestError error={error} />}
    </div>
  );
}
