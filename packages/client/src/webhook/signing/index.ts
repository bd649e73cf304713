export { type SignedRequest, signWebhook, type UnsignedWebhook } from './sign-webhook.ts';
export { type EventFields, webhookEvent } from './webhook-event.ts';
