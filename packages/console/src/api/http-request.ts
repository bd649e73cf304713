import type { Problem } from '../../../server/src/contract/problem.ts';

export type { Problem };

/** A failed request, with the problem details to show. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Partial<Problem> & Pick<Problem, 'title' | 'detail'>;

  constructor(problem: ProblemError['problem']) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  /** The `ETag` of the content that was shown. */
  ifMatch?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Dispatched on the window when any request finds that the session has ended. */
export const sessionEnded = 'session-ended';

/** Sends a request to the listener that served the page. Throws a `ProblemError` unless it succeeds. */
export async function sendRequest<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
  return (await sendRequestForETag<Body>(path, options)).body;
}

/** The same, with the `ETag` of the response. */
export async function sendRequestForETag<Body>(path: string, options: RequestOptions = {}) {
  const { method = 'GET', body, ifMatch, idempotencyKey, signal } = options;
  const isForm = body instanceof FormData;
  const headers = {
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const response = await send(path, {
    method,
    headers,
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return { body: await readBody<Body>(path, response), etag: response.headers.get('etag') ?? '' };
}

async function readBody<Body>(path: string, response: Response): Promise<Body> {
  if (response.status === 204) return undefined as Body;
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as Body;
  // A failed sign-in does not end a session.
  if (response.status === 401 && !path.startsWith('/session')) window.dispatchEvent(new Event(sessionEnded));
  throw new ProblemError(
    body ?? { title: 'Unexpected response', detail: `The server responded with status ${response.status}.` },
  );
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ProblemError({
      title: 'No connection',
      detail: 'The registry cannot be reached. Check that it is running, then try again.',
    });
  }
}
