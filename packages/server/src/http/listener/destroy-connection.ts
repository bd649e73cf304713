import { Socket } from 'node:net';

/**
 * Resets the connection in the middle of a response. To an HTTP/1.0 client, an ordinary close would mark a complete
 * response (RFC 9112, 8).
 */
export function destroyConnection(socket: unknown): void {
  // There is none while an earlier response is sent on the connection, nor for injected requests.
  if (socket instanceof Socket) socket.resetAndDestroy();
}
