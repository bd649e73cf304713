import type { Webhook } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { draftOf, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

/** Edits a webhook. */
export function EditWebhook({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const send = async (draft: WebhookDraft) => {
    await operator.webhooks.update(webhook.id, changesOf(webhook, draft));
    details.current?.querySelector('summary')?.focus();
    setOpen(false);
    onChange();
  };
  return (
    <details class="issue" ref={details} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Edit the webhook</summary>
      {isOpen && <WebhookForm initial={draftOf(webhook)} submitLabel="Save" send={send} />}
    </details>
  );
}

/** Sends only what was edited: another client may have changed the rest meanwhile. */
function changesOf(webhook: Webhook, { url, name, types, effectiveOnly, batch, requestsAtOnce }: WebhookDraft) {
  const before = draftOf(webhook);
  return {
    ...(url !== before.url && { url }),
    ...(name !== before.name && { name: name === '' ? null : name }),
    ...(String(types) !== String(before.types) && { types }),
    ...(effectiveOnly !== before.effectiveOnly && { effectiveOnly }),
    ...(batch !== before.batch && { batch }),
    ...(requestsAtOnce !== before.requestsAtOnce && {
      requestsAtOnce: requestsAtOnce === '' ? null : Number(requestsAtOnce),
    }),
  };
}
