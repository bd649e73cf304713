export type * from './event.ts';
export type * from './event-data.ts';
export { type EventVisitor, visit } from './visit.ts';
export { type ReceivedWebhook, verifyWebhook } from './webhook/verify-webhook.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './webhook/webhook-verification-error.ts';
