import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lingerMs = 1_000;
/** How many connections are read at the same time. A flood would be read faster than the garbage it makes is collected. */
const readMax = 8;
let reading = 0;

export function closeLingering(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    lingerUnlessComplete(request.raw);
    done(null, payload);
  });
}

/**
 * Reads on for a moment before closing a connection whose response is sent before the request is complete (RFC 9112,
 * 9.6). An immediate close would be a reset, and the client might never read the response.
 */
export function lingerUnlessComplete({ socket, complete }: IncomingMessage): void {
  // Injected requests have no socket.
  if (!complete && socket instanceof Socket) socket.destroySoon = () => linger(socket);
}

function linger(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
  // Unread, most clients get the response all the same: the system takes in what they still send, or lets them wait.
  if (reading >= readMax) return void socket.pause();
  reading += 1;
  socket.once('close', () => {
    reading -= 1;
  });
}
