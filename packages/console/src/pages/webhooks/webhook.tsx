import { useState } from 'preact/hooks';
import { changeWebhook, deleteWebhook, rotateWebhookSecret, showWebhook, type Webhook } from '../../api/operations.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Refused } from '../../parts/refused.tsx';
import { addressOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { ChangeWebhook } from './change-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookState } from './webhook-state.tsx';

/** One webhook, and what was sent to it. */
export function WebhookPage({ id, query }: { id: string; query: URLSearchParams }) {
  const { answer: webhook, refusal, askAgain } = useRequest((signal) => showWebhook(id, signal), [id]);
  if (refusal) {
    return (
      <Page title="Webhook">
        <Refused refusal={refusal} retry={askAgain} />
      </Page>
    );
  }
  if (!webhook) return <p class="waiting">Loading…</p>;
  return (
    <Page title={webhook.name ?? 'Webhook'}>
      <WebhookState webhook={webhook} />
      <dl class="facts">
        <dt>Address</dt>
        <dd>
          <code>{webhook.url}</code>
        </dd>
        <dt>Gets</dt>
        <dd>{webhook.types?.join(', ') ?? 'Every event'}</dd>
        <dt>Id</dt>
        <dd>
          <code>{webhook.id}</code>
        </dd>
        {webhook.previousSecretUntil && (
          <>
            <dt>The secret before signs too until</dt>
            <dd>
              <Moment at={webhook.previousSecretUntil} />
            </dd>
          </>
        )}
      </dl>
      <WebhookSteps webhook={webhook} onChange={askAgain} />
      <ChangeWebhook webhook={webhook} onChange={askAgain} />
      <Deliveries webhook={webhook} query={query} />
    </Page>
  );
}

function WebhookSteps({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const { id, enabled } = webhook;
  const [secret, setSecret] = useState<string>();
  const { isAsking, refusal, run } = useAction();
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
      location.hash = addressOf(['webhooks']);
    });
  return (
    <>
      {secret && <IssuedSecret what="secret" secret={secret} dismiss={() => setSecret(undefined)} />}
      <div class="steps">
        {enabled && (
          <button type="button" disabled={isAsking} onClick={change('test')}>
            Send a test
          </button>
        )}
        <button type="button" disabled={isAsking} onClick={change(enabled ? 'disable' : 'enable')}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <ConfirmedButton name="Rotate the secret" sure="Rotate it now" disabled={isAsking} onConfirm={rotate} />
        <ConfirmedButton name="Delete the webhook" sure="Delete for good" disabled={isAsking} onConfirm={remove} />
      </div>
      {refusal && <Refused refusal={refusal} />}
    </>
  );
}
