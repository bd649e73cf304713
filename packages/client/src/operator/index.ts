export type { Method, RequestParts } from '../client/options.ts';
export type { StreamedEvent } from './event-stream.ts';
export { List } from './operations.ts';
export type { AppQuery, ClaimOptions, DeletedAppQuery, OperatorApps, QueueQuery } from './operator-apps.ts';
export { OperatorClient, type OperatorClientOptions } from './operator-client.ts';
export type { DeliveryQuery, OperatorDeliveries } from './operator-deliveries.ts';
export type { DeveloperQuery, OperatorDevelopers } from './operator-developers.ts';
export type { EventFeed, EventFeedQuery, EventQuery, OperatorEvents } from './operator-events.ts';
export type { InstallationQuery, OperatorInstallations } from './operator-installations.ts';
export type { NewLogoImage, OperatorLogos } from './operator-logos.ts';
export type { OperatorProtectedNames } from './operator-protected-names.ts';
export type { OperatorReasonTemplates } from './operator-reason-templates.ts';
export type { OperatorSettings } from './operator-settings.ts';
export type { OperatorTokens, TokenQuery } from './operator-tokens.ts';
export type { OperatorWebhooks } from './operator-webhooks.ts';
export type {
  Actors,
  DryRunOptions,
  IfMatchOptions,
  ListQuery,
  ReviewedApp,
  SearchQuery,
  Total,
  TotalQuery,
} from './queries.ts';
export type * from './types.ts';
