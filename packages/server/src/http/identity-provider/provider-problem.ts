import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { HttpProblem } from '../problem/problem.ts';

/** Messages of `fetch` without a complete response. */
const fetchFailures = ['fetch failed', 'terminated'];

/** The problem to show to a person whom the identity provider did not sign in. */
export function providerProblem(error: unknown): HttpProblem {
  if (error instanceof AuthorizationResponseError) {
    return signInRefused(
      `The identity provider rejected the sign-in: ${described(error)}. Sign in again. If that fails, show this message to the operator of the registry.`,
    );
  }
  if (error instanceof WWWAuthenticateChallengeError || isClientError(error)) {
    return signInRefused(
      'The identity provider does not accept this registry as its client. Ask the operator of the registry to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    );
  }
  if (error instanceof ResponseBodyError) {
    return signInRefused(`The identity provider issued no token: ${described(error)}. Sign in again.`);
  }
  if (isUnreachable(error)) {
    const detail = 'The identity provider cannot be reached. Try again in a moment, or sign in with an operator token.';
    return new HttpProblem('unavailable', detail, { 'retry-after': '10' });
  }
  return signInRefused(`The response of the identity provider is invalid: ${reasonOf(error)}. Sign in again.`);
}

export function signInRefused(detail: string): HttpProblem {
  return new HttpProblem('sign_in_refused', detail);
}

/** The reason, with nothing from the provider but its error code. */
export function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return described({ error: error.error });
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function isClientError(error: unknown): boolean {
  return error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** Whether the provider did not respond: not at all, not in time, or only through the error of a proxy. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  return fetchFailures.includes(error.message) || error.name === 'TimeoutError' || isUnreachable(error.cause);
}

/** The provider's error, if it has only the characters that RFC 6749 (4.1.2.1) allows. */
function described({ error, error_description: description }: { error: string; error_description?: string }): string {
  return [error, description].filter((text) => text !== undefined && /^[ -~]{1,300}$/.test(text)).join(': ');
}
