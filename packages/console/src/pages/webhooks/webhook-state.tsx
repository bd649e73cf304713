import type { Webhook } from '@appregistrar/client/operator';
import { DateTime } from '../../parts/date-time.tsx';

/** How often a webhook is read again. Neither a failure nor a success is an event. */
export const failingRereadMs = 3_000;
export const healthyRereadMs = 10_000;

/** Which events it receives. */
export function eventsOf({ types, effectiveOnly }: Webhook): string {
  const events = types?.join(', ') ?? 'All events';
  return effectiveOnly ? `${events} (effective changes only)` : events;
}

/** Whether a webhook is enabled, and whether its deliveries fail. */
export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  return (
    <>
      <span class={`badge ${enabled ? 'approved' : 'draft'}`}>{enabled ? 'Enabled' : 'Disabled'}</span>{' '}
      {failingSince && (
        <span class="badge rejected">
          Failing since <DateTime at={failingSince} />
        </span>
      )}
      {disabledReason && <p dir="auto">{disabledReason}</p>}
    </>
  );
}
