import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { closeWhenIdle } from './close-when-idle.ts';

const drainNoticeMs = 100;
const retentionMsMax = 1_000;
export const drainMsMax = 8_000;

/**
 * Completes current work within `drainMsMax`, then closes. Returns how many connections it had to close by then; null if
 * all had ended.
 */
export async function drain(listeners: FastifyInstance[]): Promise<number | null> {
  const closed = drainConnections(listeners);
  const isOver = await Promise.race([closed.then(() => true), sleep(drainMsMax, false, { ref: false })]);
  if (isOver) return null;
  const cutOff = await Promise.all(listeners.map(({ server }) => countConnections(server)));
  for (const { server } of listeners) server.closeAllConnections();
  await closed;
  return cutOff.reduce((sum, connections) => sum + connections, 0);
}

function countConnections(server: NetServer): Promise<number> {
  return promisify(server.getConnections.bind(server))();
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
