import { useState } from 'preact/hooks';
import { changeWebhook, deleteWebhook, rotateWebhookSecret, showWebhook, type Webhook } from '../../api/operations.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { WebhookState } from './webhook-state.tsx';

/** One webhook and its deliveries. */
export function WebhookPage({ id, query }: { id: string; query: URLSearchParams }) {
  const { data: webhook, error, reload } = useRequest((signal) => showWebhook(id, signal), [id]);
  if (error) {
    return (
      <Page title="Webhook">
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!webhook) return <p class="loading">Loading…</p>;
  return (
    <Page title={webhook.name ?? 'Webhook'}>
      <WebhookState webhook={webhook} />
      <dl class="facts">
        <dt>URL</dt>
        <dd>
          <code>{webhook.url}</code>
        </dd>
        <dt>Events</dt>
        <dd>
          {webhook.types?.join(', ') ?? 'All events'}
          {webhook.batch && ' (several of one app in one request)'}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{webhook.id}</code>
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
      <WebhookSteps webhook={webhook} onChange={reload} />
      <EditWebhook webhook={webhook} onChange={reload} />
      <Deliveries webhook={webhook} query={query} />
    </Page>
  );
}

function WebhookSteps({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const { id, enabled } = webhook;
  const [secret, setSecret] = useState<string>();
  const { isPending, error, run } = useAction();
  const change = (step: 'enable' | 'disable' | 'test') => () =>
    run(async () => {
      await changeWebhook(id, step);
      onChange();
    });
  const rotate = () =>
    run(async () => {
      setSecret((await rotateWebhookSecret(id)).secret);
      onChange();
    });
  const remove = () =>
    run(async () => {
      await deleteWebhook(id);
      location.hash = hrefOf(['webhooks']);
    });
  return (
    <>
      {secret && <IssuedSecret what="secret" secret={secret} dismiss={() => setSecret(undefined)} />}
      <div class="steps">
        {enabled && (
          <button type="button" disabled={isPending} onClick={change('test')}>
            Send a test
          </button>
        )}
        <button type="button" disabled={isPending} onClick={change(enabled ? 'disable' : 'enable')}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <ConfirmedButton label="Rotate the secret" confirmLabel="Rotate now" disabled={isPending} onConfirm={rotate} />
        <ConfirmedButton
          label="Delete the webhook"
          confirmLabel="Delete permanently"
          disabled={isPending}
          onConfirm={remove}
        />
      </div>
      {error && <RequestError error={error} />}
    </>
  );
}
