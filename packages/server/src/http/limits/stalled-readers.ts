import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { destroyConnection } from '../listener/destroy-connection.ts';

/**
 * Cuts the answer of a reader that takes nothing of it for so long (0 means no limit), and notices it before it is
 * twice as long. The server keeps the time since anything has moved on a connection, whatever it waits for.
 */
export function disconnectStalledReaders(server: Server, stallMsMax = 0): void {
  if (stallMsMax === 0) return;
  server.setTimeout(stallMsMax, (socket: Socket) => {
    let { exchange } = socket;
    while (exchange?.behind) exchange = exchange.behind;
    if (!exchange || exchange.response.writableFinished) socket.destroy();
    else if (exchange.response.headersSent) destroyConnection(socket);
    // Nobody reads yet: limits of their own are on the request, and the answer takes its time.
    else socket.setTimeout(stallMsMax);
  });
}
