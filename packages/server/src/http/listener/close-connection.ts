import type { IncomingMessage, Server } from 'node:http';
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

/**
 * Resets the connection in the middle of a response. To an HTTP/1.0 client, an ordinary close would mark a complete
 * response (RFC 9112, 8).
 */
export function destroyConnection(socket: unknown): void {
  // There is none while an earlier response is sent on the connection, nor for injected requests.
  if (socket instanceof Socket) socket.resetAndDestroy();
}

/**
 * Resets the connection of a client that reads nothing of its response for `stallMsMax` (0 means no limit), at the
 * latest after twice that time. The server's timeout covers any inactivity of a connection, so the state decides.
 */
export function disconnectStalledReaders(server: Server, stallMsMax = 0): void {
  if (stallMsMax === 0) return;
  server.setTimeout(stallMsMax, (socket: Socket) => {
    let { context } = socket;
    while (context?.behind) context = context.behind;
    if (!context || context.response.writableFinished) socket.destroy();
    else if (context.response.headersSent) destroyConnection(socket);
    // No response yet: the request has limits of its own, and the response may take its time.
    else socket.setTimeout(stallMsMax);
  });
}
