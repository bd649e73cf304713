import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lingerMs = 1_000;

/**
 * Where a body is refused before it has come whole, its rest is read for a moment before the connection is
 * closed (RFC 9112, 9.6): closed at once, it would be reset, and the client might never read why.
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
