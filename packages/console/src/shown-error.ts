import { AppRegistryError, type Problem } from '@appregistrar/client';

/** A failure as people see it: the problem details of a response, or what the console says of it. */
export type ShownError = Pick<Problem, 'title' | 'detail'> & Partial<Pick<Problem, 'code' | 'errors' | 'requestId'>>;

/** The details of a problem say what to do; its title is for programs. */
const titles: Record<number, string> = {
  401: 'You are not signed in',
  403: 'You may not do this',
  404: 'It is not here',
  408: 'That took too long',
  409: 'This is not possible now',
  410: 'This list has moved on',
  412: 'Someone else has changed this',
  413: 'This is too large',
  415: 'This kind of file is not accepted',
  422: 'Check what you entered',
  429: 'Too many requests',
  500: 'The registry has failed',
  503: 'The registry is busy',
};

/** A bug in the console is shown too, not hidden. */
export function shownError(error: unknown): ShownError {
  if (!AppRegistryError.is(error)) {
    return { title: 'The console has failed', detail: `Load the page again. If that does not help, report: ${error}` };
  }
  if (error.problem) return { ...error.problem, title: titles[error.problem.status] ?? error.problem.title };
  if (error.response) return { title: 'The registry sent something unexpected', detail: error.message };
  if (error.name === 'AppRegistryTimeoutError') {
    return {
      title: 'No response',
      detail: 'The registry did not respond in time. A change may have taken effect: check before you try again.',
    };
  }
  return {
    title: navigator.onLine ? 'No connection' : 'You are offline',
    detail: 'The registry cannot be reached. Check your connection and that it is running, then try again.',
  };
}
