import { dateTime } from '../../kernel/date-time.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import type { EventData } from '../events/event.ts';
import type { Webhook } from './webhook.ts';

/** A webhook without its secret, at this time. */
export function webhookView(webhook: Omit<WebhookRow, 'secret'>, now: number): Webhook {
  const {
    name,
    requests_at_once: requestsAtOnce,
    disabled_reason: reason,
    failing_since: failing,
    previous_secret_until: until,
  } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    ...(name !== null && { name }),
    ...(webhook.types !== null && { types: webhook.types.split(' ') }),
    effectiveOnly: webhook.effective_only === 1,
    batch: webhook.batch === 1,
    ...(requestsAtOnce !== null && { requestsAtOnce }),
    enabled: webhook.disabled_at === null,
    ...(reason !== null && { disabledReason: reason }),
    ...(failing !== null && { failingSince: dateTime(failing) }),
    ...(until !== null && until > now && { previousSecretUntil: dateTime(until) }),
    createdAt: dateTime(webhook.created_at),
    updatedAt: dateTime(webhook.updated_at),
  };
}

/** A webhook in events: without its address, which may contain a secret, and without its signing secrets. */
export function webhookEventData(webhook: Omit<WebhookRow, 'secret'>): EventData['webhook.created']['after'] {
  return {
    name: webhook.name,
    types: webhook.types?.split(' ') ?? null,
    effectiveOnly: webhook.effective_only === 1,
    batch: webhook.batch === 1,
    requestsAtOnce: webhook.requests_at_once,
    enabled: webhook.disabled_at === null,
    ...(webhook.disabled_reason !== null && { disabledReason: webhook.disabled_reason }),
  };
}
