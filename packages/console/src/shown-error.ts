import { AppRegistryError, type Problem } from 'app-registry-client';

/** A failure as people see it: the problem details of a response, or what the console says of it. */
export type ShownError = Pick<Problem, 'title' | 'detail'> & Partial<Pick<Problem, 'code' | 'errors' | 'requestId'>>;

/** A bug in the console is shown too, not hidden. */
export function shownError(error: unknown): ShownError {
  if (!AppRegistryError.is(error)) return { title: 'Console error', detail: String(error) };
  if (error.problem) return error.problem;
  if (error.response) return { title: 'Unexpected response', detail: error.message };
  if (error.name === 'AppRegistryTimeoutError') {
    return {
      title: 'No response',
      detail: 'The registry did not respond in time. A change may have taken effect: check before you try again.',
    };
  }
  return {
    title: 'No connection',
    detail: 'The registry cannot be reached. Check that it is running, then try again.',
  };
}
