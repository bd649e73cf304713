import type { Webhook, WebhookBacklog } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { RetryTime } from './delivery-state.tsx';
import { RedeliverAll } from './redeliver-all.tsx';
import { failingRereadMs } from './webhook-state.tsx';

const waitingMax = 1_000;

/** What blocks the queues of a failing webhook, since when, and how many deliveries wait. */
export function Backlog({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const { data, error, reload } = useRequest(
    (signal) => operator.webhooks.getBacklog(webhook.id, { signal }),
    [webhook],
    { rereadMs: webhook.failingSince ? failingRereadMs : undefined },
  );
  if (error) return <RequestError error={error} retry={reload} />;
  if (!data || data.blocked.length === 0) return null;
  const reloadAll = () => {
    reload();
    onChange();
  };
  return (
    <section aria-labelledby="backlog">
      <h2 id="backlog">Blocked</h2>
      <p>Events about one app are delivered in order: those behind a failed delivery wait until it is retried.</p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">First delivery</th>
            <th scope="col">Since</th>
            <th scope="col">Attempts</th>
            <th scope="col">Retried</th>
            <th scope="col">Waiting behind it</th>
          </tr>
        </thead>
        <tbody>
          {data.blocked.map((blocked) => (
            <BlockedRow key={blocked.delivery.id} blocked={blocked} />
          ))}
        </tbody>
      </table>
      {!data.isComplete && <p class="faint">There are more. These have been blocked for longest.</p>}
      <RedeliverAll webhookId={webhook.id} state="pending" onChange={reloadAll} />
    </section>
  );
}

function BlockedRow({ blocked: { delivery, waiting } }: { blocked: WebhookBacklog['blocked'][number] }) {
  const { id, webhookId, eventType, createdAt, attempts, nextAttemptAt } = delivery;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf(['webhooks', webhookId, 'deliveries', id])} title={id}>
          {eventType}
        </a>
      </th>
      <td data-label="Since">
        <DateTime at={createdAt} />
      </td>
      <td data-label="Attempts">{attempts.toLocaleString()}</td>
      <td data-label="Retried">{nextAttemptAt && <RetryTime at={nextAttemptAt} />}</td>
      <td data-label="Waiting behind it">
        {waiting.toLocaleString()}
        {waiting === waitingMax && ' or more'}
      </td>
    </tr>
  );
}
