import type { Installation } from '../types/app.ts';
import type { Attempt } from './attempt.ts';
import { notFromRegistry } from './errors.ts';
import { ListReader } from './list-reader.ts';
import type { Connection } from './options.ts';
import { type Call, online, send } from './request.ts';
import { describeResponse } from './response.ts';

/** The installations of an answer of Get App while it arrives. Ends without an error only when all of it has come. */
export async function* installationsOf(connection: Connection, call: Call): AsyncGenerator<Installation, void, void> {
  const { response, attempt } = await send(connection, call, async (response, attempt) => ({ response, attempt }));
  const list = new ListReader<Installation>('installations');
  try {
    for await (const piece of textOf(connection, response, attempt)) {
      for (const installation of list.push(piece)) yield installation;
    }
    list.end();
  } catch (error) {
    throw error instanceof SyntaxError ? notFromRegistry(describeResponse(response)) : error;
  } finally {
    attempt.end();
  }
}

/** Piece by piece, each of which may take the whole time: whoever takes them may take longer. */
async function* textOf(
  connection: Connection,
  { body }: Response,
  attempt: Attempt,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const next = await attempt.within(() => online(connection, async () => reader?.read()));
    if (!next || next.done) return;
    yield decoder.decode(next.value, { stream: true });
  }
}
