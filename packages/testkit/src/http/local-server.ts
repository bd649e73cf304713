import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server of this machine that responds like this. */
export async function localServer(respond: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  const server = createServer(respond).listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    url: `http://127.0.0.1:${listening}`,
    /** Cuts its connections off. */
    async close(): Promise<void> {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}
