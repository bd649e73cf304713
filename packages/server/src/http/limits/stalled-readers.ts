import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { destroyConnection } from '../listener/destroy-connection.ts';

/**
 * Resets the connection of a client that reads nothing of its response for `stallMsMax` (0 means no limit), at the
 * latest after twice that time. The server's timeout covers any inactivity of a connection, so the state decides.
 */
export function disconnectStalledReaders(server: Server, stallMsMax = 0): void {
  if (stallMsMax === 0) return;
  server.setTimeout(stallMsMax, (socket: Socket) => {
    let { exchange } = socket;
    while (exchange?.behind) exchange = exchange.behind;
    if (!exchange || exchange.response.writableFinished) socket.destroy();
    else if (exchange.response.headersSent) destroyConnection(socket);
    // No response yet: the request has limits of its own, and the response may take its time.
    else socket.setTimeout(stallMsMax);
  });
}
