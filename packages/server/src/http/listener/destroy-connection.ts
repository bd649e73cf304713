import { Socket } from 'node:net';

/**
 * Ends the connection in the middle of an answer, by a reset: to a reader of HTTP/1.0, a connection that
 * merely ended would be the end of a whole answer (RFC 9112, 8).
 */
export function destroyConnection(socket: unknown): void {
  // None while an earlier answer is being sent on the same connection; injected requests never have one.
  if (socket instanceof Socket) socket.resetAndDestroy();
}
