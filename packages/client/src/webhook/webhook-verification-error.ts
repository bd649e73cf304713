import { AppRegistryError } from '../client/errors.ts';

/**
 * Why a webhook was rejected. Later versions may add reasons.
 * - `missing_header`: a header is missing: the request is not a webhook, or a proxy removed the header.
 * - `invalid_timestamp`: `webhook-timestamp` is not a whole number of seconds.
 * - `too_old`, `too_new`: it was sent more than five minutes before or after the local time.
 * - `no_matching_signature`: no signature of these headers and this body matches a secret.
 * - `invalid_event`: the signature matches, but the body is not an event.
 *
 * @example
 * const clockIsWrong = (reason: WebhookVerificationReason) => reason === 'too_old' || reason === 'too_new';
 * await verifyWebhook({ body: await request.text(), headers: request.headers, secret }).catch((error) => {
 *   if (error instanceof WebhookVerificationError && clockIsWrong(error.reason)) console.error(error.message);
 * });
 */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_matching_signature'
  | 'invalid_event';

/**
 * A webhook that must not be trusted. Respond with a 4xx status, and log the `reason` and message.
 *
 * @example
 * await verifyWebhook({ body: await request.text(), headers: request.headers, secret }).catch((error) => {
 *   if (error instanceof WebhookVerificationError) console.error(error.reason, error.message);
 * });
 */
export class WebhookVerificationError extends AppRegistryError {
  override readonly name = 'WebhookVerificationError';
  /** For programs. */
  declare readonly reason: WebhookVerificationReason;

  /** Created by `verifyWebhook`. */
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
