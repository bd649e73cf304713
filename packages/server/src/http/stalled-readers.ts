import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { cutAnswer } from './cut-answer.ts';

/**
 * Cuts the answer of a reader that takes nothing of it for so long, and notices it before it is twice as
 * long. 0 means no limit.
 */
export function cutStalledReaders(app: FastifyInstance, stallMsMax = 0): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    // Injected requests have none.
    if (socket instanceof Socket) {
      socket.setTimeout(stallMsMax);
      reply.raw.once('timeout', () => cutAnswer(reply));
    }
    done(null, payload);
  });
}
