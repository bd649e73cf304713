import { useRef, useState } from 'preact/hooks';
import { updateWebhook, type Webhook } from '../../api/operations.ts';
import { draftOf, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

/** Gives a webhook another address, name or choice of events. */
export function ChangeWebhook({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const send = async (draft: WebhookDraft) => {
    await updateWebhook(webhook.id, changesOf(webhook, draft));
    details.current?.querySelector('summary')?.focus();
    setOpen(false);
    onChange();
  };
  return (
    <details class="issue" ref={details} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Change the address, the name or the events</summary>
      {isOpen && <WebhookForm first={draftOf(webhook)} does="Change" send={send} />}
    </details>
  );
}

/** What was left alone may have been changed by somebody else meanwhile. */
function changesOf(webhook: Webhook, { url, name, types }: WebhookDraft) {
  const before = draftOf(webhook);
  return {
    ...(url !== before.url && { url }),
    ...(name !== before.name && { name: name === '' ? null : name }),
    ...(String(types) !== String(before.types) && { types }),
  };
}
