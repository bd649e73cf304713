import type { Webhook } from '../../api/operations.ts';
import { Moment } from '../../parts/moment.tsx';

/** Whether a webhook is sent anything, and whether that arrives. */
export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  return (
    <>
      <span class={`badge ${enabled ? 'approved' : 'draft'}`}>{enabled ? 'Enabled' : 'Disabled'}</span>{' '}
      {failingSince && (
        <span class="badge rejected">
          Failing since <Moment at={failingSince} />
        </span>
      )}
      {disabledReason && <p dir="auto">{disabledReason}</p>}
    </>
  );
}
