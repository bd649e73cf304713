import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { HttpProblem } from '../problem/problem.ts';

/** What `fetch` says when there was no answer, or not all of it. */
const fetchFailures = ['fetch failed', 'terminated'];

/** What a person is told when an identity provider has not signed them in. */
export function providerProblem(error: unknown): HttpProblem {
  if (error instanceof AuthorizationResponseError) {
    return signInRefused(
      `The identity provider has not signed you in, and says: ${said(error)}. Sign in again. If that does not help, show this to whoever runs the registry.`,
    );
  }
  if (error instanceof WWWAuthenticateChallengeError || isOfClient(error)) {
    return signInRefused(
      'The identity provider does not accept this registry as its client. Whoever runs the registry looks at OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    );
  }
  if (error instanceof ResponseBodyError) {
    return signInRefused(`The identity provider has issued no token, and says: ${said(error)}. Sign in again.`);
  }
  if (isAway(error)) {
    const detail = 'The identity provider cannot be reached. Try again in a moment, or sign in with an operator token.';
    return new HttpProblem('unavailable', detail, { 'retry-after': '10' });
  }
  return signInRefused(`The answer of the identity provider is not good: ${reasonOf(error)}. Sign in again.`);
}

/** What is told to somebody whom an identity provider has not signed in. */
export function signInRefused(detail: string): HttpProblem {
  return new HttpProblem('sign_in_refused', detail);
}

/** Why, without anything of what the provider has sent but its error code. */
export function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return said({ error: error.error });
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function isOfClient(error: unknown): boolean {
  return error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** Whether no provider has answered: none at all, not in time, or a proxy for it. What else it answers is nonsense. */
function isAway(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  return fetchFailures.includes(error.message) || error.name === 'TimeoutError' || isAway(error.cause);
}

/** Its words, where they are what RFC 6749 (4.1.2.1) lets them be. */
function said({ error, error_description: description }: { error: string; error_description?: string }): string {
  return [error, description].filter((text) => text !== undefined && /^[ -~]{1,300}$/.test(text)).join(': ');
}
