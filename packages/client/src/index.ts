export type { ApiPromise, WithResponse } from './client/api-promise.ts';
export { AppRegistryClient, DeveloperClient, PlatformClient } from './client/app-registry-client.ts';
export type { DeveloperApps } from './client/developer-apps.ts';
export { environmentsOf, type PublishedServers } from './client/environments-of.ts';
export {
  AppRegistryConnectionError,
  AppRegistryError,
  AppRegistryTimeoutError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PathNotFoundError,
  PreconditionFailedError,
  ResponseError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from './client/errors.ts';
export type {
  AppAsRead,
  AppRegistryClientOptions,
  AppRegistryEnvironment,
  ClientSettings,
  IfNoneMatch,
  Method,
  ReceivedResponse,
  RequestHeaders,
  RequestOptions,
  RequestParts,
  Retry,
  SentRequest,
  UpdateAppOptions,
  UpdateByMerge,
  UpdateIfMatch,
} from './client/options.ts';
export type { Conditional, Modified, NotModified, PlatformApps } from './client/platform-apps.ts';
export type { AppRegistryResponse } from './client/response.ts';
export type { StreamedApp } from './client/streamed-app.ts';
export { VERSION } from './client/version.ts';
export type {
  ClientFetch,
  FetchedResponse,
  FetchOptions,
  WebAbortSignal,
  WebFetch,
  WebHeaders,
} from './client/web-types.ts';
export type * from './event.ts';
export type * from './event-data.ts';
export { Page, type PageOf } from './page.ts';
export type * from './types/app.ts';
export type * from './types/problem.ts';
export { type EventVisitor, visit } from './visit.ts';
export { type ReceivedWebhook, verifyWebhook, verifyWebhookBatch } from './webhook/verify-webhook.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './webhook/webhook-verification-error.ts';
