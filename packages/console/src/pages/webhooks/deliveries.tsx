import type { Delivery, DeliveryQuery, Webhook } from '@appregistrar/client/operator';
import { anyEvent } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf, replaceRoute } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { DeliveryState, stateNames } from './delivery-state.tsx';
import { RedeliverAll } from './redeliver-all.tsx';
import { RedeliverSince } from './redeliver-since.tsx';

interface DeliveriesProps {
  webhook: Webhook;
  query: URLSearchParams;
  /** Called when a redelivery, or a wish to see the current state, may have changed what the webhook says. */
  onChange: () => void;
}

/** The deliveries of a webhook, newest first, with the last response. */
export function Deliveries({ webhook, query, onChange }: DeliveriesProps) {
  const parameters = { state: query.get('state') ?? undefined, cursor: query.get('cursor') ?? undefined };
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.deliveries.list(webhook.id, parameters as DeliveryQuery, { signal }).page(),
    [webhook, parameters.state, parameters.cursor],
    { follows: anyEvent },
  );
  const reloadAll = () => {
    reload();
    onChange();
  };
  const hrefAt = (changes: Partial<typeof parameters>) =>
    hrefOf(['webhooks', webhook.id], { ...parameters, ...changes });
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="filter">
        <label>
          State
          <select
            value={parameters.state ?? ''}
            onChange={({ currentTarget }) => replaceRoute(hrefAt({ state: currentTarget.value, cursor: undefined }))}
          >
            <option value="">Any</option>
            {Object.entries(stateNames).map(([state, name]) => (
              <option key={state} value={state}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={reloadAll}>
          Refresh
        </button>
      </div>
      {parameters.state === 'failed' && <RedeliverAll webhookId={webhook.id} state="failed" onChange={reloadAll} />}
      <RedeliverSince webhookId={webhook.id} onChange={reloadAll} />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <p class="empty">No matching deliveries.</p>}
        {data && data.items.length > 0 && <DeliveryTable deliveries={data.items} onChange={reloadAll} />}
        {data && <Pager page={data} of="the deliveries" hrefAt={(cursor) => hrefAt({ cursor })} />}
      </div>
    </section>
  );
}

function DeliveryTable({ deliveries, onChange }: { deliveries: Delivery[]; onChange: () => void }) {
  return (
    <table class="list deliveries">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Queued</th>
          <th scope="col">State</th>
          <th scope="col">Last response</th>
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onChange={onChange} />
        ))}
      </tbody>
    </table>
  );
}

function DeliveryRow({ delivery, onChange }: { delivery: Delivery; onChange: () => void }) {
  const { id, webhookId, eventType, createdAt, response } = delivery;
  const { isPending, error, run } = useAction();
  const again = () =>
    run(async () => {
      await operator.deliveries.redeliver(id);
      onChange();
    });
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf(['webhooks', webhookId, 'deliveries', id])}>{eventType}</a> <code class="detail">{id}</code>
      </th>
      <td data-label="Queued">
        <DateTime at={createdAt} />
      </td>
      <td data-label="State">
        <DeliveryState delivery={delivery} />
      </td>
      <td data-label="Last response">
        {response?.status} <bdi class="excerpt">{response?.body}</bdi>
      </td>
      <td>
        <button type="button" aria-label={`Redeliver ${id}`} disabled={isPending} onClick={again}>
          Redeliver
        </button>
        {error && <RequestError error={error} />}
      </td>
    </tr>
  );
}
