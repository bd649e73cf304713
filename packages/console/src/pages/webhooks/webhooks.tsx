import type { NewWebhook, Webhook as WebhookView } from '@appregistrar/client/operator';
import { Webhook } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Empty } from '../../parts/empty.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { type WebhookDraft, WebhookForm } from './webhook-form.tsx';
import { eventsOf, failingRereadMs, healthyRereadMs, WebhookState } from './webhook-state.tsx';

/** All webhooks, with a form to add one. */
export function WebhooksPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [secret, setSecret] = useState<string>();
  const [isFailing, setFailing] = useState(false);
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.webhooks.list({ cursor }, { signal }).page(),
    [cursor],
    { follows: ofTypes('webhook.'), rereadMs: isFailing ? failingRereadMs : healthyRereadMs },
  );
  useEffect(() => setFailing(data?.items.some(({ failingSince }) => failingSince) ?? false), [data]);
  return (
    <Page title="Webhooks">
      {secret && <IssuedSecret what="secret" secret={secret} dismiss={() => setSecret(undefined)} />}
      <CreateWebhook onCreated={setSecret} onSettled={reload} />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && (
          <Empty icon={Webhook} text="No webhooks yet.">
            <p>Add one to notify another system of changes.</p>
          </Empty>
        )}
        {data && data.items.length > 0 && <WebhookTable webhooks={data.items} />}
        {data && <Pager page={data} of="the webhooks" hrefAt={(at) => hrefOf(['webhooks'], { cursor: at })} />}
      </div>
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: WebhookView[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Webhook</th>
          <th scope="col">Events</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <th scope="row">
              <a href={hrefOf(['webhooks', webhook.id])} dir="auto">
                {webhook.name ?? webhook.url}
              </a>
              {webhook.name !== undefined && <small class="faint detail">{webhook.url}</small>}
            </th>
            <td data-label="Events">{eventsOf(webhook)}</td>
            <td data-label="State">
              <WebhookState webhook={webhook} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const empty: WebhookDraft = { url: '', name: '', types: null, effectiveOnly: false, batch: false, requestsAtOnce: '' };

function CreateWebhook({ onSettled, onCreated }: { onSettled: () => void; onCreated: (secret: string) => void }) {
  const [createdCount, setCreatedCount] = useState(0);
  const canCreate = useHasScope('admin');
  if (!canCreate) return null;
  const send = async (draft: WebhookDraft) => {
    try {
      const webhook = webhookOf(draft);
      const created = await createOnce(['webhook', webhook], (options) => operator.webhooks.create(webhook, options));
      onCreated(created.secret);
      setCreatedCount(createdCount + 1);
    } finally {
      // Also after a failure: the webhook may exist although the response was lost.
      onSettled();
    }
  };
  return (
    <details class="issue">
      <summary>Add a webhook</summary>
      <WebhookForm key={createdCount} initial={empty} submitLabel="Add" send={send} />
    </details>
  );
}

function webhookOf({ url, name, types, effectiveOnly, batch, requestsAtOnce }: WebhookDraft): NewWebhook {
  return {
    url,
    ...(name !== '' && { name }),
    ...(types && { types }),
    effectiveOnly,
    batch,
    ...(requestsAtOnce !== '' && { requestsAtOnce: Number(requestsAtOnce) }),
  };
}
