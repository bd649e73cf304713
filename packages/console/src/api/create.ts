import { ask, Refusal } from './http-request.ts';

/** The keys of what was asked for and not answered, by what was asked for. */
const unanswered = new Map<string, string>();

/**
 * Asks for something new. Where no answer has told whether it was made, asking for the same again goes by the same
 * `Idempotency-Key`, so that nothing is made twice. Whatever is asked for after an answer is another one.
 */
export async function create<Answer>(path: string, body?: unknown): Promise<Answer> {
  const intent = intentOf(path, body);
  const idempotencyKey = unanswered.get(intent) ?? newKey();
  unanswered.set(intent, idempotencyKey);
  try {
    const answer = await ask<Answer>(path, { method: 'POST', body, idempotencyKey });
    unanswered.delete(intent);
    return answer;
  } catch (error) {
    if (isAnswer(error)) unanswered.delete(intent);
    throw error;
  }
}

/** What was refused was not made; what has failed or is still at work may have been. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  const { status, code } = error.problem;
  return status !== undefined && status < 500 && code !== 'request_in_progress';
}

/** A form holds an image, which is told by all that the browser says of its file. */
function intentOf(path: string, body: unknown): string {
  if (!(body instanceof FormData)) return JSON.stringify([path, body]);
  const fields = [...body].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  );
  return JSON.stringify([path, fields]);
}

/** Not of `randomUUID`, which browsers have for https and this machine alone. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
