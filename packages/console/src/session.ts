import type { Session, SignInState } from '../../server/src/features/access/browser-sessions.ts';
import { operator } from './operator.ts';

export type { Session };

/** The current session, if any, and the available ways to sign in. */
export async function showSignIn(): Promise<SignInState> {
  return (await operator.request('GET', '/session')) as SignInState;
}

/** Signs in with an operator token, or with the code of a link. */
export async function signIn(token: string): Promise<void> {
  await operator.request('POST', '/session', { body: { token } });
}

/** The URL at which the identity provider signs people in. */
export async function requestAuthorization(): Promise<string> {
  const requested = await operator.request('POST', '/session/authorization-request');
  return (requested as { location: string }).location;
}

/** Signs in with the query that the identity provider sent the browser back with. */
export async function signInByProvider(query: string): Promise<void> {
  await operator.request('POST', '/session/authorization-response', { body: { query } });
}

export async function signOut(): Promise<void> {
  await operator.request('DELETE', '/session');
}
