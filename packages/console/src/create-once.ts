import { AppRegistryError } from '@appregistrar/client';

/** The idempotency keys of creations without a known outcome, by what they create. */
const pendingKeys = new Map<string, string>();

/**
 * Creates an object, which `what` identifies. If the outcome of a request is unknown, the next one for the same object has
 * the same `Idempotency-Key`, so that nothing is created twice. Once a response has arrived, another object is created.
 */
export async function createOnce<Created>(
  what: unknown,
  create: (options: { headers: Record<string, string> }) => Promise<Created>,
): Promise<Created> {
  const object = JSON.stringify(what);
  const key = pendingKeys.get(object) ?? newKey();
  pendingKeys.set(object, key);
  try {
    const created = await create({ headers: { 'idempotency-key': key } });
    pendingKeys.delete(object);
    return created;
  } catch (error) {
    if (!mayStillCreate(error)) pendingKeys.delete(object);
    throw error;
  }
}

function mayStillCreate(error: unknown): boolean {
  if (!AppRegistryError.is(error)) return false;
  // A conflict says what the first request has done, unless that is still in progress.
  return error.statusCode === 409 ? error.code === 'request_in_progress' : error.mayHaveTakenEffect;
}

/** Not `randomUUID`, which browsers provide only over https and on localhost. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
