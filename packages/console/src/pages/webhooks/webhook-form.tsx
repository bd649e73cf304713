import type { NewWebhook, Webhook } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';
import { EventTypeChoice } from './event-type-choice.tsx';

/** The fields of the form. The registry validates them. */
export interface WebhookDraft {
  url: string;
  /** Empty for none. */
  name: string;
  /** Null for all types. */
  types: NonNullable<NewWebhook['types']> | null;
  effectiveOnly: boolean;
  batch: boolean;
  /** Empty for the default of the registry. */
  requestsAtOnce: string;
}

export function draftOf({ url, name = '', types, effectiveOnly, batch, requestsAtOnce }: Webhook): WebhookDraft {
  const requests = requestsAtOnce === undefined ? '' : String(requestsAtOnce);
  const wanted = (types ?? null) as WebhookDraft['types'];
  return { url, name, types: wanted, effectiveOnly, batch, requestsAtOnce: requests };
}

interface WebhookFormProps {
  initial: WebhookDraft;
  submitLabel: string;
  send: (draft: WebhookDraft) => Promise<void>;
}

/** Everything about a webhook that can be chosen. */
export function WebhookForm({ initial, submitLabel, send }: WebhookFormProps) {
  const [draft, setDraft] = useState(initial);
  const { isPending, error, run } = useAction();
  const change = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(() => send({ ...draft, url: draft.url.trim() }));
  };
  return (
    <form onSubmit={submit}>
      <label>
        URL
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
        Name (to identify it)
        <input
          maxLength={100}
          dir="auto"
          value={draft.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <EventTypeChoice chosen={draft.types} choose={(types) => change({ types })} />
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.effectiveOnly}
          onChange={({ currentTarget }) => change({ effectiveOnly: currentTarget.checked })}
        />
        Only events that change what platforms may act on
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.batch}
          onChange={({ currentTarget }) => change({ batch: currentTarget.checked })}
        />
        Batch events of the same app into one request
      </label>
      <label>
        Concurrent requests per process (empty for the default)
        <input
          type="number"
          min={1}
          value={draft.requestsAtOnce}
          onInput={({ currentTarget }) => change({ requestsAtOnce: currentTarget.value })}
        />
      </label>
      <div>
        <button type="submit" class="primary" disabled={isPending}>
          {submitLabel}
        </button>
      </div>
      {error && <RequestError error={error} />}
    </form>
  );
}
