import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const defaultStallMsMax = 30_000;

/**
 * Cuts the connection of a reader that takes nothing of its answer for so long, and notices it before it is
 * twice as long.
 */
export function cutStalledReaders(app: FastifyInstance, stallMsMax: number = defaultStallMsMax): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { socket } = request.raw;
    // Node ends a connection on which nothing moves. Injected requests have none.
    if (socket instanceof Socket) socket.setTimeout(stallMsMax);
    done(null, payload);
  });
}
