import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { closeWhenIdle } from './close-when-idle.ts';

const drainNoticeMs = 100;
const retentionMsMax = 1_000;
const drainMsMax = 8_000;

/** Completes current work within a few seconds, then closes. */
export async function drain(listeners: FastifyInstance[]): Promise<void> {
  const closed = drainConnections(listeners);
  await Promise.race([closed, sleep(drainMsMax, undefined, { ref: false })]);
  for (const listener of listeners) listener.server.closeAllConnections();
  await closed;
}

/**
 * Closing a server resets connections that wait to be accepted, and those with an unread request. So the listeners
 * first continue for a moment while every response announces that its connection closes. Then they accept no more
 * connections, and clients may use the open ones once more. A proxy whose connection is refused tries another process.
 */
async function drainConnections(listeners: FastifyInstance[]): Promise<void> {
  const servers = listeners.map(({ server }) => server);
  const allLeft = Promise.all(servers.map((server) => once(server, 'close')));
  await sleep(drainNoticeMs);
  // The close of an HTTP server would also close idle connections.
  await Promise.all(servers.map((server) => closeWhenIdle(server, () => NetServer.prototype.close.call(server))));
  await Promise.race([allLeft, sleep(retentionMsMax)]);
  await Promise.all(servers.map((server) => closeWhenIdle(server, () => server.closeIdleConnections())));
  await closeListeners(listeners);
}

export async function closeListeners(listeners: FastifyInstance[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}
