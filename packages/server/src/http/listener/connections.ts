import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

const lingerMs = 1_000;
/** How many connections are read at the same time. A flood would be read faster than the garbage it makes is collected. */
const readMax = 8;
let reading = 0;

/**
 * Reads on for a moment before closing a connection whose response is sent before the request is complete (RFC 9112,
 * 9.6). An immediate close would be a reset, and the client might never read the response.
 */
export function closeLingering({ socket }: IncomingMessage): void {
  // Injected requests have no socket.
  if (socket instanceof Socket) socket.destroySoon = () => linger(socket);
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

const noLimit = Number.MAX_SAFE_INTEGER;
const checkIntervalMsMax = 1_000;

/** Limits for requests. 0 means no limit. */
export interface ListenerLimits {
  bodyBytesMax: number;
  headerBytesMax: number;
  headersTimeoutMs: number;
  /** For the header and the body together. */
  requestTimeoutMs: number;
  requestsAtOnceMax: number;
}

/** The limits of time and size, as options of Fastify and Node. */
export function serverLimits(limits: ListenerLimits) {
  const headerBytesMax = limits.headerBytesMax || noLimit;
  return {
    bodyLimit: limits.bodyBytesMax || noLimit,
    requestTimeout: limits.requestTimeoutMs,
    routerOptions: { maxParamLength: headerBytesMax },
    http: { maxHeaderSize: headerBytesMax, ...timeouts(limits) },
  };
}

/** The header is part of the request, and Node rejects a longer timeout for it. */
function timeouts({ headersTimeoutMs, requestTimeoutMs }: ListenerLimits) {
  const headersTimeout =
    requestTimeoutMs > 0 ? Math.min(headersTimeoutMs || requestTimeoutMs, requestTimeoutMs) : headersTimeoutMs;
  const shortest = Math.min(headersTimeout || checkIntervalMsMax, checkIntervalMsMax);
  return { requestTimeout: requestTimeoutMs, headersTimeout, connectionsCheckingInterval: shortest };
}

/** File descriptors for everything but public connections. Of fewer than twice as many, half are reserved. */
const reservedMax = 512;

interface ConnectionLimits {
  public: number;
  operator: number;
}

/**
 * How many connections the listeners accept at most. A flood on the public listener must leave descriptors to the
 * operator listener, so that a supervisor gets its response, and to the database, files and webhooks.
 */
export function connectionLimits(connectionsMax: number, openFilesMax: number = readOpenFilesMax()): ConnectionLimits {
  const reserved = Math.min(reservedMax, Math.floor(openFilesMax / 2));
  return {
    public: Math.min(connectionsMax || Number.POSITIVE_INFINITY, openFilesMax - reserved),
    operator: Math.ceil(reserved / 4),
  };
}

/** The limit of this process, which Node has raised as far as it may be. */
function readOpenFilesMax(): number {
  // Otherwise the report looks up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: number | string } } } = process.report.getReport();
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

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
