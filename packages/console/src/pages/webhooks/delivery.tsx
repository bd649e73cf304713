import type { DeliveryDetails } from '@appregistrar/client/operator';
import { useEffect, useRef } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { CopyableId } from '../../parts/copy-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { DeliveryRequestSection, DeliveryResponseSection } from './delivery-exchange.tsx';
import { DeliveryState } from './delivery-state.tsx';

const refreshMs = 1_000;
/** For half a minute: an attempt may wait for those ahead of it. */
const refreshesMax = 30;

/** One delivery: what was sent at its last attempt, and what came back. */
export function DeliveryPage({ webhookId, id }: { webhookId: string; id: string }) {
  const {
    data: delivery,
    error,
    isPending,
    reload,
  } = useRequest((signal) => operator.deliveries.get(id, { signal }), [id]);
  useRefreshUntilAttempted(delivery, reload);
  const breadcrumbs = [
    { name: 'Webhooks', href: hrefOf(['webhooks']) },
    { name: 'Webhook', href: hrefOf(['webhooks', webhookId]) },
  ];
  if (error) {
    return (
      <Page title="Delivery" breadcrumbs={breadcrumbs}>
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!delivery) return <p class="loading">Loading…</p>;
  const actions = <Redeliver delivery={delivery} isLoading={isPending} reload={reload} />;
  return (
    <Page title={`Delivery of ${delivery.eventType}`} breadcrumbs={breadcrumbs} actions={actions}>
      <Facts delivery={delivery} />
      <DeliveryRequestSection delivery={delivery} />
      <DeliveryResponseSection delivery={delivery} />
    </Page>
  );
}

/** The outcome of a test, or of a redelivery, appears by itself. */
function useRefreshUntilAttempted(delivery: DeliveryDetails | undefined, reload: () => void): void {
  const refreshes = useRef(0);
  useEffect(() => {
    if (delivery?.state !== 'pending' || delivery.attempts > 0) refreshes.current = 0;
    else if (refreshes.current < refreshesMax) {
      refreshes.current += 1;
      const timer = setTimeout(reload, refreshMs);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [delivery, reload]);
}

function Redeliver(props: { delivery: DeliveryDetails; isLoading: boolean; reload: () => void }) {
  const { delivery, isLoading, reload } = props;
  const { isPending, error, run } = useAction();
  const again = () =>
    run(async () => {
      await operator.deliveries.redeliver(delivery.id);
      reload();
    });
  return (
    <>
      <button type="button" disabled={isLoading} onClick={reload}>
        Refresh
      </button>
      <button type="button" disabled={isPending} onClick={again}>
        Redeliver
      </button>
      {error && <RequestError error={error} />}
    </>
  );
}

function Facts({ delivery }: { delivery: DeliveryDetails }) {
  const { id, eventId, createdAt, attemptedAt } = delivery;
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <span role="status">
          <DeliveryState delivery={delivery} />
        </span>
      </dd>
      <dt>Queued</dt>
      <dd>
        <DateTime at={createdAt} />
      </dd>
      {attemptedAt && (
        <>
          <dt>Last attempt</dt>
          <dd>
            <DateTime at={attemptedAt} />
          </dd>
        </>
      )}
      <dt>Event</dt>
      <dd>
        <CopyableId id={eventId} />
      </dd>
      <dt>Id</dt>
      <dd>
        <CopyableId id={id} />
      </dd>
    </dl>
  );
}
