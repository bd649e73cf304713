/**
 * Why a webhook was refused. More reasons may come.
 * - `missing_header`: a header of a webhook is missing, so it is no webhook, or something on its way took the header.
 * - `invalid_timestamp`: `webhook-timestamp` is not a whole number of seconds.
 * - `too_old`, `too_new`: it was sent more than five minutes before or after what the clock here shows.
 * - `no_matching_signature`: none of the secrets has signed these headers and this body.
 * - `invalid_event`: the signature is good, and the body is no event.
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
 * A webhook that must not be trusted. Answer it with a 4xx status; its `reason` and message are for your log.
 *
 * @example
 * await verifyWebhook({ body: await request.text(), headers: request.headers, secret }).catch((error) => {
 *   if (error instanceof WebhookVerificationError) console.error(error.reason, error.message);
 * });
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
