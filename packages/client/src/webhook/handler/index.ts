export type { WebResponse } from '../../client/web-types.ts';
export type { NodeRequest, NodeResponse, WebRequest } from './requests.ts';
export type { SeenEvents } from './seen-events.ts';
export { type WebhookHandler, type WebhookHandlerOptions, webhookHandler } from './webhook-handler.ts';
