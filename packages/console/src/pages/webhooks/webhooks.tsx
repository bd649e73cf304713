import { useState } from 'preact/hooks';
import { createWebhook, listWebhooks, type Webhook } from '../../api/operations.ts';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Refused } from '../../parts/refused.tsx';
import { addressOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { type WebhookDraft, WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

/** Where events are sent. */
export function WebhooksPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [secret, setSecret] = useState<string>();
  const { answer, refusal, isAsking, askAgain } = useRequest((signal) => listWebhooks({ cursor }, signal), [cursor]);
  return (
    <Page title="Webhooks">
      {secret && <IssuedSecret what="secret" secret={secret} dismiss={() => setSecret(undefined)} />}
      <CreateWebhook onCreated={setSecret} onAnswer={askAgain} />
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        {answer?.items.length === 0 && (
          <p class="empty">No other system is told of changes yet: add a webhook for it.</p>
        )}
        {answer && answer.items.length > 0 && <WebhookTable webhooks={answer.items} />}
        {answer && (
          <Pager page={answer} of="the webhooks" addressAt={(at) => addressOf(['webhooks'], { cursor: at })} />
        )}
      </div>
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Webhook</th>
          <th scope="col">Gets</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <th scope="row">
              <a href={addressOf(['webhooks', webhook.id])} dir="auto">
                {webhook.name ?? webhook.url}
              </a>
            </th>
            <td data-label="Gets">{webhook.types?.join(', ') ?? 'Every event'}</td>
            <td data-label="State">
              <WebhookState webhook={webhook} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const empty: WebhookDraft = { url: '', name: '', types: null };

function CreateWebhook({ onAnswer, onCreated }: { onAnswer: () => void; onCreated: (secret: string) => void }) {
  const [times, setTimes] = useState(0);
  const send = async ({ url, name, types }: WebhookDraft) => {
    try {
      const { secret } = await createWebhook({ url, ...(name !== '' && { name }), ...(types && { types }) });
      onCreated(secret);
      setTimes(times + 1);
    } finally {
      // Also when it was made by a request whose answer was lost.
      onAnswer();
    }
  };
  return (
    <details class="issue">
      <summary>Add a webhook</summary>
      <WebhookForm key={times} first={empty} does="Add" send={send} />
    </details>
  );
}
