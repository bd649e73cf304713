import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lingerMs = 1_000;

/**
 * Reads on for a moment before closing a connection whose response is sent before the request is complete (RFC 9112,
 * 9.6). An immediate close would be a reset, and the client might never read the response.
 */
export function closeLingering(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { socket, complete } = request.raw;
    // Injected requests have no socket.
    if (socket instanceof Socket && !complete) socket.destroySoon = () => linger(socket);
    done(null, payload);
  });
}

function linger(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
