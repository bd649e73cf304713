import { ProblemError, sendRequest } from './http-request.ts';

/** The idempotency keys of requests without a known outcome, by path and body. */
const pendingKeys = new Map<string, string>();

/**
 * Creates an object. If the outcome of a request is unknown, the next identical request reuses its `Idempotency-Key`,
 * so that nothing is created twice. Once a response has arrived, an identical request creates another object.
 */
export async function create<Body>(path: string, body?: unknown): Promise<Body> {
  const request = identityOf(path, body);
  const idempotencyKey = pendingKeys.get(request) ?? newKey();
  pendingKeys.set(request, idempotencyKey);
  try {
    const created = await sendRequest<Body>(path, { method: 'POST', body, idempotencyKey });
    pendingKeys.delete(request);
    return created;
  } catch (error) {
    if (isFinal(error)) pendingKeys.delete(request);
    throw error;
  }
}

/** A refused request created nothing. One that failed or is still in progress may have. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { status, code } = error.problem;
  return status !== undefined && status < 500 && code !== 'request_in_progress';
}

/** An image in a form is identified by the metadata of its file. */
function identityOf(path: string, body: unknown): string {
  if (!(body instanceof FormData)) return JSON.stringify([path, body]);
  const fields = [...body].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  );
  return JSON.stringify([path, fields]);
}

/** Not `randomUUID`, which browsers provide only over https and on localhost. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
