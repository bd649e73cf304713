import { operatorOperations } from '../../contract/operations/operator-operations.ts';
import type { NewEvents } from '../../registry/events/feed/new-events.ts';
import type { Registry } from '../../registry/registry.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute } from '../openapi/document-route.ts';
import { revisionHandlers } from './apps/revisions.ts';
import { appHandlers } from './apps.ts';
import { type ConsoleOptions, consoleRoutes } from './console.ts';
import { developerHandlers } from './developers.ts';
import { eventHandlers } from './events.ts';
import { type HealthOptions, healthRoutes } from './health.ts';
import { installationHandlers } from './installations.ts';
import { logoHandlers } from './logos.ts';
import { operationRoutes } from './operation-route.ts';
import { operatorDocsRoute } from './operator-docs.ts';
import { operatorDocument } from './operator-document.ts';
import { overviewHandlers } from './overview.ts';
import { providerSessionRoutes } from './provider-session.ts';
import { reviewClaimHandlers } from './review/claims.ts';
import { reviewNoteHandlers } from './review/notes.ts';
import { protectedNameHandlers } from './review/protected-names.ts';
import { reasonTemplateHandlers } from './review/reason-templates.ts';
import { reviewHandlers } from './review.ts';
import { type SessionRouteOptions, sessionRoutes } from './session.ts';
import { settingHandlers } from './settings.ts';
import { tokenHandlers } from './tokens.ts';
import { webhookHandlers } from './webhooks.ts';

export interface OperatorRouteOptions extends HealthOptions, SessionRouteOptions, ConsoleOptions {
  /** The address of this listener, without a slash at the end. */
  operatorBaseUrl: string;
  /** In one process; 0 means no limit. */
  uploadsAtOnceMax: number;
  /** Ends waits for events. */
  newEvents: NewEvents;
}

/** The path prefix of the operator API, and of nothing else. */
export const operatorApiPath = '/operator/v1/';

/** The routes of the operator listener: the operator API, sessions, the console and monitoring (decision 2). */
export function operatorRoutes(registry: Registry, options: OperatorRouteOptions): Route[] {
  const describe = () => operatorDocument(options);
  return [
    ...operatorApiRoutes(registry, options),
    // Supervisors and monitoring systems send requests to an IP address.
    ...healthRoutes(options).map((route) => ({ ...route, anyHost: true })),
    ...sessionRoutes(registry, options),
    ...providerSessionRoutes(registry, options),
    ...consoleRoutes(options),
    logoRoute(registry),
    documentRoute(describe),
    operatorDocsRoute(options, describe),
  ];
}

/** The operator API: every operation that is declared, with its handler. */
export function operatorApiRoutes(
  registry: Registry,
  { uploadsAtOnceMax, newEvents }: Pick<OperatorRouteOptions, 'uploadsAtOnceMax' | 'newEvents'>,
): Route[] {
  const handlers = {
    ...overviewHandlers(registry),
    ...developerHandlers(registry),
    ...appHandlers(registry),
    ...reviewHandlers(registry),
    ...reviewClaimHandlers(registry),
    ...reviewNoteHandlers(registry),
    ...reasonTemplateHandlers(registry),
    ...protectedNameHandlers(registry),
    ...revisionHandlers(registry),
    ...installationHandlers(registry),
    ...logoHandlers(registry),
    ...tokenHandlers(registry),
    ...eventHandlers(registry, newEvents),
    ...webhookHandlers(registry),
    ...settingHandlers(registry),
  };
  return operationRoutes(operatorOperations, { handlers, uploadsAtOnceMax });
}
