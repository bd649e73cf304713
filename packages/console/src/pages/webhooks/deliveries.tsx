import { type Delivery, listDeliveries, redeliver, type Webhook } from '../../api/operations.ts';
import { Moment } from '../../parts/moment.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Refused } from '../../parts/refused.tsx';
import { addressOf, replaceRoute } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { RedeliverSince } from './redeliver-since.tsx';

const stateNames = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };
const stateClasses = { pending: 'changed', delivered: 'approved', failed: 'rejected' };

/** What was sent to a webhook, the newest first, and how it was answered. */
export function Deliveries({ webhook, query }: { webhook: Webhook; query: URLSearchParams }) {
  const asked = { state: query.get('state') ?? undefined, cursor: query.get('cursor') ?? undefined };
  const { answer, refusal, isAsking, askAgain } = useRequest(
    (signal) => listDeliveries(webhook.id, asked, signal),
    [webhook, asked.state, asked.cursor],
  );
  const addressAt = (changes: Partial<typeof asked>) => addressOf(['webhooks', webhook.id], { ...asked, ...changes });
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="filter">
        <label>
          State
          <select
            value={asked.state ?? ''}
            onChange={({ currentTarget }) => replaceRoute(addressAt({ state: currentTarget.value, cursor: undefined }))}
          >
            <option value="">Any</option>
            {Object.entries(stateNames).map(([state, name]) => (
              <option key={state} value={state}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={askAgain}>
          Look again
        </button>
      </div>
      <RedeliverSince webhookId={webhook.id} onChange={askAgain} />
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        {answer?.items.length === 0 && <p class="empty">There is no delivery like that.</p>}
        {answer && answer.items.length > 0 && <DeliveryTable deliveries={answer.items} onChange={askAgain} />}
        {answer && <Pager page={answer} of="the deliveries" addressAt={(cursor) => addressAt({ cursor })} />}
      </div>
    </section>
  );
}

function DeliveryTable({ deliveries, onChange }: { deliveries: Delivery[]; onChange: () => void }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Queued</th>
          <th scope="col">State</th>
          <th scope="col">Last answer</th>
          <th scope="col">
            <span class="visually-hidden">Steps</span>
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
  const { id, eventType, createdAt, state, attempts, nextAttemptAt, answerStatus, answer } = delivery;
  const { isAsking, refusal, run } = useAction();
  const again = () =>
    run(async () => {
      await redeliver(id);
      onChange();
    });
  return (
    <tr>
      <th scope="row">
        {eventType} <code>{id}</code>
      </th>
      <td data-label="Queued">
        <Moment at={createdAt} />
      </td>
      <td data-label="State">
        <span class={`badge ${stateClasses[state]}`}>{stateNames[state]}</span>{' '}
        {attempts > 0 && `after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}`}
        {nextAttemptAt && (
          <>
            , next at <Moment at={nextAttemptAt} />
          </>
        )}
      </td>
      <td data-label="Last answer">
        {answerStatus} <bdi>{answer}</bdi>
      </td>
      <td>
        <button type="button" aria-label={`Redeliver ${id}`} disabled={isAsking} onClick={again}>
          Redeliver
        </button>
        {refusal && <Refused refusal={refusal} />}
      </td>
    </tr>
  );
}
