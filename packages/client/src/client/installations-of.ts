import type { Installation } from '../types/app.ts';
import type { Attempt } from './attempt.ts';
import { notFromRegistry } from './errors.ts';
import { ListReader } from './list-reader.ts';
import type { Connection } from './options.ts';
import { type Call, send, withConnectionError } from './request.ts';
import { describeResponse } from './response.ts';

/** The installations in a response of Get App while it arrives. Completes without an error only at the end of the list. */
export async function* installationsOf(connection: Connection, call: Call): AsyncGenerator<Installation, void, void> {
  const { response, attempt } = await send(connection, call, async (response, attempt) => ({ response, attempt }));
  const list = new ListReader<Installation>('installations');
  try {
    for await (const chunk of textOf(connection, response, attempt)) {
      for (const installation of list.push(chunk)) yield installation;
    }
    list.end();
  } catch (error) {
    throw error instanceof SyntaxError ? notFromRegistry(describeResponse(response)) : error;
  } finally {
    attempt.end();
  }
}

/** The decoded chunks of the body. Each has the full timeout, which does not include the time of the consumer. */
async function* textOf(
  connection: Connection,
  { body }: Response,
  attempt: Attempt,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const next = await attempt.within(() => withConnectionError(connection, async () => reader?.read()));
    if (!next || next.done) return;
    yield decoder.decode(next.value, { stream: true });
  }
}
