import type { Problem } from '../../../server/src/contract/problem.ts';

export type { Problem };

/** What a request was refused with, for a person. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: Partial<Problem> & Pick<Problem, 'title' | 'detail'>;

  constructor(problem: Refusal['problem']) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON, but for a form. */
  body?: unknown;
  /** The `ETag` of what was seen. */
  ifMatch?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Told to the window when the session has ended, whatever page has asked. */
export const sessionEnded = 'session-ended';

/** Asks the listener that has served the page. Throws a `Refusal` for whatever is no good answer. */
export async function ask<Answer>(path: string, given: Ask = {}): Promise<Answer> {
  return (await askTagged<Answer>(path, given)).answer;
}

/** The same with the `ETag` of the answer, which names what was seen. */
export async function askTagged<Answer>(path: string, given: Ask = {}) {
  const { method = 'GET', body, ifMatch, idempotencyKey, signal } = given;
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
  return { answer: await read<Answer>(path, response), etag: response.headers.get('etag') ?? '' };
}

async function read<Answer>(path: string, response: Response): Promise<Answer> {
  if (response.status === 204) return undefined as Answer;
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answer;
  // What is refused at sign-in ends no session.
  if (response.status === 401 && !path.startsWith('/session')) window.dispatchEvent(new Event(sessionEnded));
  throw new Refusal(answer ?? { title: 'Not understood', detail: `The server has answered ${response.status}.` });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal({
      title: 'No connection',
      detail: 'The registry cannot be reached. Check that it runs, and try again.',
    });
  }
}
