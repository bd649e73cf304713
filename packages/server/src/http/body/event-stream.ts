import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { StreamedPage } from '../../kernel/event-waits.ts';
import { toProblem } from '../problem/to-problem.ts';

export const eventStreamMediaType = 'text/event-stream';
/** When a browser connects again by itself. */
const reconnectMs = 3_000;
const heartbeat = ': still here\n\n';

/**
 * Sends events as they come (HTML, 9.2). The next ones are only read once the client has read these, so that no more of
 * them than one page is ever in memory.
 */
export function sendEventStream(reply: FastifyReply, pages: AsyncIterable<StreamedPage>): FastifyReply {
  return (
    reply
      .header('content-type', eventStreamMediaType)
      // Otherwise nginx would hold events back.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(textOf(pages), { objectMode: false, highWaterMark: 1 }))
  );
}

/** A client that connects again gets the problem that a stream ends with. */
async function* textOf(pages: AsyncIterable<StreamedPage>): AsyncGenerator<string, void, void> {
  let isFirst = true;
  try {
    for await (const { items, nextCursor } of pages) {
      const messages = items.map(({ event, cursor }) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('');
      // An id without data only says where to go on.
      yield isFirst ? `retry: ${reconnectMs}\n${messages}id: ${nextCursor}\n\n` : messages || heartbeat;
      isFirst = false;
    }
  } catch (error) {
    if (toProblem(error).unexpected) throw error;
  }
}
