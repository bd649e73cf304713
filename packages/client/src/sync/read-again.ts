import { AppRegistryError } from '../client/errors.ts';
import type { RequestOptions } from '../client/options.ts';
import type { OperatorClient } from '../operator/operator-client.ts';
import type { OperatorApp } from '../operator/types.ts';
import type { CopiedApp, CopiedInstallation } from './change.ts';

/** How many apps are read concurrently. */
const appsAtOnce = 8;

/** The common fields of events. */
interface NamingEvent {
  type: string;
  appId?: string;
  subjectId: string;
}

/** Current objects by ID; undefined for deleted ones. */
export interface CurrentObjects {
  apps: Map<string, CopiedApp | undefined>;
  installations: Map<string, CopiedInstallation | undefined>;
}

/**
 * Reads the current state of the objects that events name, at most 100 installations. Events contain only what changed, so
 * an object that was read after an event is never reset to the event.
 */
export async function readAgain(
  operator: OperatorClient,
  events: readonly NamingEvent[],
  options: RequestOptions,
): Promise<CurrentObjects> {
  const named = namedBy(events);
  const current: CurrentObjects = { apps: new Map(), installations: new Map() };
  // A suspension changes apps that have no event of their own.
  for (const developerId of named.developers) {
    for await (const app of operator.apps.list({ developerId, view: 'full', limit: 100 }, options)) {
      current.apps.set(app.id, copied(app));
    }
  }
  const rest = named.apps.values();
  const readRest = async () => {
    for (const id of rest) current.apps.set(id, await readApp(operator, id, options));
  };
  await Promise.all([
    ...Array.from({ length: Math.min(appsAtOnce, named.apps.size) }, readRest),
    readInstallations(operator, [...named.installations], options).then((found) => {
      current.installations = found;
    }),
  ]);
  return current;
}

/** An app in the form of a copy. */
export function copied({ installationCount: _, ...app }: OperatorApp): CopiedApp {
  return app;
}

function namedBy(events: readonly NamingEvent[]) {
  const named = { apps: new Set<string>(), installations: new Set<string>(), developers: new Set<string>() };
  for (const { type, appId, subjectId } of events) {
    if (type.startsWith('installation.')) named.installations.add(subjectId);
    else if (type.startsWith('developer.')) named.developers.add(subjectId);
    else if (appId !== undefined) named.apps.add(appId);
  }
  return named;
}

async function readApp(operator: OperatorClient, id: string, options: RequestOptions): Promise<CopiedApp | undefined> {
  try {
    // Lists do not show these two.
    const { warnings: _, reviewSteps: __, ...app } = await operator.apps.get(id, options);
    return app.deletedAt === undefined ? copied(app) : undefined;
  } catch (error) {
    // A 404 of a proxy says nothing about the app.
    if (AppRegistryError.is(error) && error.code === 'app_not_found') return undefined;
    throw error;
  }
}

async function readInstallations(
  operator: OperatorClient,
  ids: string[],
  options: RequestOptions,
): Promise<CurrentObjects['installations']> {
  const found: CurrentObjects['installations'] = new Map(ids.map((id) => [id, undefined]));
  if (ids.length === 0) return found;
  const { items } = await operator.installations.list({ ids, limit: 100 }, options).page();
  for (const installation of items) found.set(installation.id, installation);
  return found;
}
