import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * A socket on which processes can listen. All that hold it accept its connections: one that ends, or is killed, leaves
 * those that wait to the others. A process that only holds it accepts none.
 */
export interface ListeningSocket {
  close(): void;
}

/** The socket of a server that listens. */
export function socketOf(server: Server): ListeningSocket {
  // Handing over the server itself would make the receiver accept connections, too.
  return (server as unknown as { _handle: ListeningSocket })._handle;
}

/** Has a server listen on an address, or on a socket of another process. Rejects when it cannot. */
export async function listenOn(
  server: Server,
  target: { host: string; port: number } | ListeningSocket,
): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(target);
  await listening;
}
