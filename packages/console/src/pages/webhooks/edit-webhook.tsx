import type { Webhook } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { useEdit } from '../../use-edit.ts';
import { draftOf, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

/** Edits a webhook. */
export function EditWebhook({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { begin, save } = useEdit(webhook, onChange);
  const send = async (draft: WebhookDraft) => {
    await save((opened, ifMatch) => operator.webhooks.update(opened.id, changesOf(opened, draft), { ifMatch }));
    details.current?.querySelector('summary')?.focus();
    setOpen(false);
    onChange();
  };
  const toggle = (isNowOpen: boolean) => {
    if (isNowOpen) begin();
    setOpen(isNowOpen);
  };
  return (
    <details class="issue" ref={details} open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>Edit the webhook</summary>
      {isOpen && <WebhookForm initial={draftOf(webhook)} submitLabel="Save" send={send} />}
    </details>
  );
}

/** Only what was edited. */
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
