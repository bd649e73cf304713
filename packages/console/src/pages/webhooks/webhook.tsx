import type { Webhook } from '@appregistrar/client/operator';
import { useEffect, useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { ofSubject } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { Backlog } from './backlog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { eventsOf, failingRereadMs, healthyRereadMs, WebhookState } from './webhook-state.tsx';

const breadcrumbs = [{ name: 'Webhooks', href: hrefOf(['webhooks']) }];

/** One webhook and its deliveries. */
export function WebhookPage({ id, query }: { id: string; query: URLSearchParams }) {
  const [isFailing, setFailing] = useState(false);
  const rereadMs = isFailing ? failingRereadMs : healthyRereadMs;
  const {
    data: webhook,
    error,
    reload,
  } = useRequest((signal) => operator.webhooks.get(id, { signal }), [id], { follows: ofSubject(id), rereadMs });
  useEffect(() => setFailing(webhook?.failingSince !== undefined), [webhook]);
  if (error) {
    return (
      <Page title="Webhook" breadcrumbs={breadcrumbs}>
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!webhook) return <p class="loading">Loading…</p>;
  return (
    <Page title={webhook.name ?? 'Webhook'} breadcrumbs={breadcrumbs}>
      <WebhookState webhook={webhook} />
      <dl class="facts">
        <dt>URL</dt>
        <dd>
          <code>{webhook.url}</code>
        </dd>
        <dt>Events</dt>
        <dd>{eventsOf(webhook)}</dd>
        <dt>Batching</dt>
        <dd>{webhook.batch ? 'Several events of an app per request' : 'One event per request'}</dd>
        <dt>Concurrent requests</dt>
        <dd>{webhook.requestsAtOnce ?? 'Default'}</dd>
        <dt>Id</dt>
        <dd>
          <CopyableId id={webhook.id} />
        </dd>
        {webhook.previousSecretUntil && (
          <>
            <dt>Previous secret valid until</dt>
            <dd>
              <DateTime at={webhook.previousSecretUntil} />
            </dd>
          </>
        )}
      </dl>
      <EditWebhook webhook={webhook} onChange={reload} />
      <WebhookSteps webhook={webhook} onChange={reload} />
      <Backlog webhook={webhook} onChange={reload} />
      <Deliveries webhook={webhook} query={query} onChange={reload} />
    </Page>
  );
}

function WebhookSteps({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const { id, enabled } = webhook;
  const [newSecret, setSecret] = useState<string>();
  const { isPending, error, run } = useAction();
  const change = (request: () => Promise<unknown>) => () =>
    run(async () => {
      await request();
      onChange();
    });
  const test = () =>
    run(async () => {
      const delivery = await operator.webhooks.test(id);
      location.hash = hrefOf(['webhooks', id, 'deliveries', delivery.id]);
    });
  const toggle = change(() => (enabled ? operator.webhooks.disable(id) : operator.webhooks.enable(id)));
  const rotate = () =>
    run(async () => {
      // A retry after a lost response returns the same secret, and the previous one stays valid.
      const { secret } = await createOnce(['secret', id], (options) => operator.webhooks.rotateSecret(id, options));
      setSecret(secret);
      onChange();
    });
  const remove = () =>
    run(async () => {
      await operator.webhooks.delete(id);
      location.hash = hrefOf(['webhooks']);
    });
  return (
    <>
      {newSecret && <IssuedSecret what="secret" secret={newSecret} dismiss={() => setSecret(undefined)} />}
      <div class="steps">
        {enabled && (
          <button type="button" disabled={isPending} onClick={test}>
            Send a test
          </button>
        )}
        <button type="button" disabled={isPending} onClick={toggle}>
          <span key={`${enabled}`}>{enabled ? 'Disable' : 'Enable'}</span>
        </button>
        <ConfirmedButton label="Rotate the secret" confirmLabel="Rotate now" disabled={isPending} onConfirm={rotate}>
          <p>
            The new secret is shown once. For 24 hours, requests are also signed with the previous secret, so that
            receivers can switch.
          </p>
        </ConfirmedButton>
        <ConfirmedButton
          label="Delete the webhook"
          confirmLabel="Delete permanently"
          disabled={isPending}
          onConfirm={remove}
        >
          <p>Its deliveries are deleted too, including pending ones.</p>
        </ConfirmedButton>
      </div>
      {error && <RequestError error={error} />}
    </>
  );
}
