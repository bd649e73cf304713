import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/** How long the end of a listener takes. */
export interface DrainLimits {
  /** It accepts connections for so long, whose responses announce that they close. */
  noticeMs: number;
  /** Clients may use open connections once more. */
  retentionMs: number;
  /** Then requests that have not completed are cut off. */
  cutOffMs: number;
}

export const drainLimits: DrainLimits = { noticeMs: 100, retentionMs: 1_000, cutOffMs: 8_000 };

/** Completes current work, then closes. Returns how many connections it had to cut off; null if all had ended. */
export async function drain(listeners: FastifyInstance[], limits: DrainLimits): Promise<number | null> {
  const closed = drainConnections(listeners, limits);
  const isOver = await Promise.race([closed.then(() => true), sleep(limits.cutOffMs, false, { ref: false })]);
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
async function drainConnections(listeners: FastifyInstance[], { noticeMs, retentionMs }: DrainLimits): Promise<void> {
  const servers = listeners.map(({ server }) => server);
  const allLeft = Promise.all(servers.map((server) => once(server, 'close')));
  await sleep(noticeMs);
  // The close of an HTTP server would also close idle connections.
  await Promise.all(servers.map((server) => closeWhenIdle(server, () => NetServer.prototype.close.call(server))));
  await Promise.race([allLeft, sleep(retentionMs, undefined, { ref: false })]);
  await Promise.all(servers.map((server) => closeWhenIdle(server, () => server.closeIdleConnections())));
  await closeListeners(listeners);
}

export async function closeListeners(listeners: FastifyInstance[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

const waitMsMax = 3_000;
/** Between two checks. The system preempts a process that checks without a pause. */
const pauseMs = 1;
/** An idle turn of the event loop takes a tenth of that; during a longer one a connection may have arrived. */
const turnMsMax = 0.2;

/**
 * Closes right after a turn of the event loop that brought the server nothing, so that no client waiting to be accepted
 * or read is reset. A flood has no such turn: then it closes after three seconds.
 */
export async function closeWhenIdle(server: Server, close: () => void): Promise<void> {
  let isIdle = false;
  const markBusy = () => {
    isIdle = false;
  };
  server.on('connection', markBusy).on('request', markBusy);
  const deadline = performance.now() + waitMsMax;
  await new Promise<void>((resolve) => {
    const check = () => {
      isIdle = true;
      const began = performance.now();
      // Runs after everything that has arrived, and before any other work.
      setImmediate(() => {
        const now = performance.now();
        if ((!isIdle || now - began > turnMsMax) && now < deadline) return setTimeout(check, pauseMs);
        close();
        return resolve();
      });
    };
    check();
  });
  server.off('connection', markBusy).off('request', markBusy);
}
