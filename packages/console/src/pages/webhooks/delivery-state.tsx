import type { Delivery } from '@appregistrar/client/operator';
import { DateTime } from '../../parts/date-time.tsx';

export const stateNames = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };
const stateClasses = { pending: 'changed', delivered: 'approved', failed: 'rejected' };

/** Whether a delivery was made, after how many attempts, and when the next one is. */
export function DeliveryState({ delivery: { state, attempts, nextAttemptAt } }: { delivery: Delivery }) {
  return (
    <>
      <span class={`badge ${stateClasses[state]}`}>{stateNames[state]}</span>{' '}
      {attempts > 0 && `after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}`}
      {nextAttemptAt && (
        <>
          {attempts > 0 && ', '}
          {Date.parse(nextAttemptAt) > Date.now() ? 'next' : 'due'} <DateTime at={nextAttemptAt} />
        </>
      )}
    </>
  );
}
