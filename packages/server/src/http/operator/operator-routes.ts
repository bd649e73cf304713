import type { Registry } from '../../registry/registry.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute } from '../openapi/document-route.ts';
import type { Documented } from '../openapi/openapi.ts';
import { appOperations } from './apps.ts';
import { consoleRoutes } from './console.ts';
import { developerOperations } from './developers.ts';
import { eventOperations } from './events.ts';
import { type HealthOptions, healthRoutes } from './health.ts';
import { installationOperations } from './installations.ts';
import { logoOperations } from './logos.ts';
import { operationRoute } from './operation.ts';
import { operatorDocsRoute } from './operator-docs.ts';
import { operatorDocument } from './operator-document.ts';
import { overviewOperations } from './overview.ts';
import { providerSessionRoutes } from './provider-session.ts';
import { reviewOperations } from './review.ts';
import { type SessionRouteOptions, sessionRoutes } from './session.ts';
import { tokenOperations } from './tokens.ts';
import { webhookOperations } from './webhooks.ts';

export interface OperatorRouteOptions extends HealthOptions, SessionRouteOptions {
  /** Where this listener is reached, without a slash at the end. */
  operatorBaseUrl: string;
  /** Where the built console is; beside the program unless given. */
  consoleFolder?: string;
}

/** Below it stands the operator API, and nothing else. */
export const operatorApiPath = '/operator/v1/';

/** The operator listener: what runs the registry, and what tells how it runs (decision 2). */
export function operatorRoutes(registry: Registry, options: OperatorRouteOptions): Route[] {
  const operations = operatorOperations(registry);
  const describe = () => operatorDocument(options, operations);
  return [
    ...operations,
    // Supervisors and monitoring systems ask by an IP address.
    ...healthRoutes(options).map((route) => ({ ...route, anyHost: true })),
    ...sessionRoutes(registry, options),
    ...providerSessionRoutes(registry, options),
    ...consoleRoutes(options.consoleFolder),
    logoRoute(registry),
    documentRoute(describe),
    operatorDocsRoute(options, describe),
  ];
}

/** The operator API: everything that the command line does to a registry, through the same functions. */
export function operatorOperations(registry: Registry): (Route & Documented)[] {
  return [
    ...overviewOperations(registry),
    ...developerOperations(registry),
    ...appOperations(registry),
    ...reviewOperations(registry),
    ...installationOperations(registry),
    ...logoOperations(registry),
    ...tokenOperations(registry),
    ...eventOperations(registry),
    ...webhookOperations(registry),
  ].map((operation) => operationRoute(registry, operation));
}
