import { type AppAsRead, DeveloperClient } from '@appregistrar/client';
import { type AppSummary, type AppWithWarnings, type Decision, OperatorClient } from '@appregistrar/client/operator';
import { required } from '../web/required.ts';
import type { Session } from '../web/sign-in.ts';

/** Acts for developers: creates apps, uploads logos and submits. It has the scope `portal`, and cannot approve anything. */
export const operator = new OperatorClient({ baseUrl: required('OPERATOR_URL'), token: required('OPERATOR_TOKEN') });

/** A client with the developer's own token. */
export function clientOf({ accessToken }: Session): DeveloperClient {
  return new DeveloperClient({ baseUrl: required('REGISTRY_URL'), token: accessToken });
}

/** How many decisions the page of an app shows. */
const decisionsMax = 20;

/** An app, its review and what its developer sees of it. */
export interface OwnApp {
  app: AppWithWarnings;
  view: AppAsRead['data'];
  /** The tag of the view. */
  etag: string | undefined;
  /** The latest ones first. */
  decisions: Decision[];
}

export async function ownApps({ person }: Session): Promise<AppSummary[]> {
  return Array.fromAsync(operator.apps.list({ developerId: person.id }));
}

/** An app of the developer who is signed in. Throws a `NotFoundError` for an app of another one: their token decides. */
export async function ownApp(session: Session, id: string): Promise<OwnApp> {
  const { data: view, response } = await clientOf(session).apps.current(id).withResponse();
  const [app, { items }] = await Promise.all([
    operator.apps.get(id),
    operator.apps.listDecisions(id, { limit: decisionsMax }).page(),
  ]);
  return { app, view, etag: response.etag, decisions: items };
}
