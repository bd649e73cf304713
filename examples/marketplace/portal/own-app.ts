import { AppRegistryClient, type DeveloperApp } from '@appregistrar/client';
import { type AppWithWarnings, type Decision, type OperatorApp, OperatorClient } from '@appregistrar/client/operator';
import { required } from '../web/required.ts';
import type { Session } from '../web/sign-in.ts';

/** Acts for developers: creates apps, uploads logos and submits. It has the scope `portal`, and cannot approve anything. */
export const operator = new OperatorClient({ baseUrl: required('OPERATOR_URL'), token: required('OPERATOR_TOKEN') });

const clients = new WeakMap<Session, AppRegistryClient>();

/** A client with the developer's own token. It is the same for a whole session, as it merges with what it has read. */
export function clientOf(session: Session): AppRegistryClient {
  const client =
    clients.get(session) ?? new AppRegistryClient({ baseUrl: required('REGISTRY_URL'), token: session.accessToken });
  clients.set(session, client);
  return client;
}

/** An app, its review and what its developer sees of it. */
export interface OwnApp {
  app: AppWithWarnings;
  view: DeveloperApp;
  /** Names the content of the view. */
  etag: string;
  lastDecision: Decision | undefined;
}

export async function ownApps({ person }: Session): Promise<OperatorApp[]> {
  return Array.fromAsync(operator.apps.list({ developerId: person.id }));
}

/** An app of the developer who is signed in. Throws a `NotFoundError` for an app of another one: their token decides. */
export async function ownApp(session: Session, id: string): Promise<OwnApp> {
  const { data: view, response } = await clientOf(session).developer.apps.current(id).withResponse();
  const [app, { items }] = await Promise.all([
    operator.apps.get(id),
    operator.apps.listDecisions(id, { limit: 1 }).page(),
  ]);
  return { app, view, etag: response.etag ?? '', lastDecision: items[0] };
}
