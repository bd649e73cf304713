import { AppRegistryError, type Problem } from '@appregistrar/client';

/** A failure as people see it: the problem details of a response, or what the console says of it. */
export interface ShownError
  extends Pick<Problem, 'title' | 'detail'>,
    Partial<Pick<Problem, 'code' | 'errors' | 'requestId'>> {
  /** Whether there is no connection, which may be back by itself. */
  isCutOff?: boolean;
}

/** The details of a problem say what to do; its title is for programs. */
const titles: Record<number, string> = {
  401: 'You are not signed in',
  403: 'Permission denied',
  404: 'Not found',
  408: 'Request timed out',
  409: 'Not possible right now',
  410: 'This list has changed',
  412: 'Someone else has changed this',
  413: 'This is too large',
  415: 'Unsupported file type',
  422: 'Check what you entered',
  429: 'Too many requests',
  500: 'The registry failed',
  503: 'The registry is busy',
};

/** What is wrong with a token or a link that someone signs in with: they are not signed in yet. */
const signInTitles: Record<number, string> = {
  401: 'This token or link does not work',
  403: 'This token cannot sign in to the console',
};

/** A form was not saved, because the resource changed while it was edited. */
export class EditConflict extends Error {}

/** Whether the same request would be refused again. */
export function isFinal(error: unknown): boolean {
  return AppRegistryError.is(error) && error.problem !== undefined && !error.isRetryable;
}

/** A bug in the console is shown too, not hidden. */
export function shownError(error: unknown): ShownError {
  if (error instanceof EditConflict) {
    return {
      title: 'Someone else has changed this',
      detail:
        'Your changes are not saved. Save again to apply them to the current version, or close the form to see that version first.',
    };
  }
  if (!AppRegistryError.is(error)) {
    return {
      title: 'The console failed',
      detail: `Reload the page. If that does not help, report this error: ${error}`,
    };
  }
  if (error.problem) {
    const { problem, retryAfterMs } = error;
    const later = retryAfterMs === undefined ? '' : ` Try again in ${duration(retryAfterMs)}.`;
    return { ...problem, title: titles[problem.status] ?? problem.title, detail: `${problem.detail}${later}` };
  }
  if (error.response) return { title: 'Unexpected response from the registry', detail: error.message };
  if (error.name === 'AppRegistryTimeoutError') {
    return {
      title: 'No response',
      detail: 'The registry did not respond in time. A change may have taken effect: check before you try again.',
    };
  }
  return {
    isCutOff: true,
    title: navigator.onLine ? 'No connection' : 'You are offline',
    detail: 'The registry cannot be reached. Check your connection and that it is running, then try again.',
  };
}

export function shownSignInError(error: unknown): ShownError {
  const title = AppRegistryError.is(error) && signInTitles[error.problem?.status ?? 0];
  return { ...shownError(error), ...(title && { title }) };
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
