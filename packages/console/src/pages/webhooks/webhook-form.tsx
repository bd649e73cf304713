import { useState } from 'preact/hooks';
import type { NewWebhook, Webhook } from '../../api/operations.ts';
import { Refused } from '../../parts/refused.tsx';
import { useAction } from '../../use-action.ts';
import { EventTypes } from './event-types.tsx';

/** What the form holds. The registry judges it. */
export interface WebhookDraft {
  url: string;
  /** Empty for none. */
  name: string;
  /** Null for those of every type. */
  types: NonNullable<NewWebhook['types']> | null;
}

export function draftOf({ url, name = '', types }: Webhook): WebhookDraft {
  return { url, name, types: (types ?? null) as WebhookDraft['types'] };
}

interface WebhookFormProps {
  first: WebhookDraft;
  /** What the button says. */
  does: string;
  send: (draft: WebhookDraft) => Promise<void>;
}

/** Where events are sent, and which. */
export function WebhookForm({ first, does, send }: WebhookFormProps) {
  const [draft, setDraft] = useState(first);
  const { isAsking, refusal, run } = useAction();
  const change = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(() => send({ ...draft, url: draft.url.trim() }));
  };
  return (
    <form onSubmit={submit}>
      <label>
        Address
        <input
          inputMode="url"
          required
          maxLength={2048}
          placeholder="https://"
          value={draft.url}
          onInput={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      </label>
      <label>
        Name, so that you know it again
        <input
          maxLength={100}
          dir="auto"
          value={draft.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <EventTypes chosen={draft.types} choose={(types) => change({ types })} />
      <div>
        <button type="submit" class="first" disabled={isAsking}>
          {does}
        </button>
      </div>
      {refusal && <Refused refusal={refusal} />}
    </form>
  );
}
