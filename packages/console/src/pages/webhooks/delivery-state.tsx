import type { Delivery } from '@appregistrar/client/operator';
import { DateTime } from '../../parts/date-time.tsx';
import { hrefOf } from '../../route.ts';

export const stateNames = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };
const stateClasses = { pending: 'changed', delivered: 'approved', failed: 'rejected' };

const minuteMs = 60_000;

/** Whether a delivery was made, after how many attempts, and when the next one is or what it waits for. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { webhookId, state, attempts, nextAttemptAt, waitsFor } = delivery;
  return (
    <>
      <span class={`badge ${stateClasses[state]}`}>{stateNames[state]}</span>{' '}
      {attempts > 0 && `after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}`}
      {waitsFor && (
        <>
          waits for{' '}
          <a href={hrefOf(['webhooks', webhookId, 'deliveries', waitsFor.id])} title={waitsFor.id}>
            {waitsFor.eventType}
          </a>
          , which is retried <RetryTime at={waitsFor.nextAttemptAt} />
        </>
      )}
      {nextAttemptAt && !waitsFor && (
        <>
          {attempts > 0 && ', '}
          {isAhead(nextAttemptAt) ? 'next' : 'due'} <DateTime at={nextAttemptAt} />
        </>
      )}
    </>
  );
}

/** When a delivery is retried. Once the time has passed, the request is being made. */
export function RetryTime({ at }: { at: string }) {
  if (!isAhead(at)) return 'now';
  return isAhead(at, minuteMs) ? <DateTime at={at} /> : 'within a minute';
}

function isAhead(at: string, byMs = 0): boolean {
  return Date.parse(at) - Date.now() > byMs;
}
