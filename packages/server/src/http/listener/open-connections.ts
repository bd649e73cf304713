import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { destroyConnection } from './connections.ts';
import type { RequestContext } from './request-context.ts';

/** A connection is not read further while so many of its requests wait for the one before them. */
const waitingMax = 32;
/** What a connection has sent at once is parsed at once. Of all connections together, no more wait: about 50 MB. */
const waitingInAllMax = 20_000;
/** What a client must take of a response that waits for it, over the time that it may stall. */
const bytesPerSecondMin = 1_000;

declare module 'node:net' {
  interface Socket {
    /** How many of its requests wait for the one before them. */
    waiting?: number;
    /** At the latest check for slow readers: how many bytes the client had taken; undefined if all that was sent. */
    taken?: number | undefined;
  }
}

interface OpenConnectionsOptions {
  /** 0 means no limit. */
  connectionsMax: number;
  /** How long a client may read nothing of its response; 0 means for ever. */
  stallMsMax: number;
  /** Called when a connection has been closed because there were too many. */
  onDropped: () => void;
}

/** The connections of a listener: so many at most, each with few requests that wait, and none that is read too slowly. */
export class OpenConnections {
  readonly #open = new Set<Socket>();
  /** Those without a request. The first one has been idle longest. */
  readonly #idle = new Set<Socket>();
  readonly #options: OpenConnectionsOptions;
  #waiting = 0;

  constructor(server: Server, options: OpenConnectionsOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => this.#admit(socket));
    const { stallMsMax } = options;
    if (stallMsMax === 0) return;
    const checks = setInterval(() => this.disconnectSlowReaders(), stallMsMax).unref();
    server.on('close', () => clearInterval(checks));
  }

  /** To be called with each request, before anything is done for it. */
  beginRequest({ request: { socket }, behind }: RequestContext): void {
    this.#idle.delete(socket);
    if (!behind) return;
    this.#waiting += 1;
    socket.waiting = (socket.waiting ?? 0) + 1;
    if (this.#waiting > waitingInAllMax) destroyConnection(socket);
    else if (socket.waiting === waitingMax) socket.on('resume', keepPaused).pause();
  }

  /** To be called when a request no longer waits for the one before it. */
  endWait({ request: { socket } }: RequestContext): void {
    this.#waiting -= 1;
    socket.waiting = (socket.waiting ?? 0) - 1;
    if (socket.waiting === waitingMax - 1) socket.off('resume', keepPaused).resume();
  }

  /** To be called after each response. */
  endRequest(context: RequestContext): void {
    const { socket } = context.request;
    if (socket.context === context && this.#open.has(socket)) this.#idle.add(socket);
  }

  /** Resets the connections whose clients have taken too little of a response since the latest check. */
  disconnectSlowReaders(): void {
    const bytesMin = (bytesPerSecondMin * this.#options.stallMsMax) / 1_000;
    for (const socket of this.#open) {
      const pending = pendingBytes(socket);
      const taken = pending === 0 ? undefined : socket.bytesWritten - pending;
      if (taken !== undefined && socket.taken !== undefined && taken - socket.taken < bytesMin)
        destroyConnection(socket);
      socket.taken = taken;
    }
  }

  /** Makes room for a connection. A flood takes the place of its own connections, and of none that has a request. */
  #admit(socket: Socket): void {
    const { connectionsMax, onDropped } = this.#options;
    if (connectionsMax > 0 && this.#open.size >= connectionsMax) {
      onDropped();
      const [longestIdle = socket] = this.#idle;
      this.#remove(longestIdle);
      longestIdle.destroy();
      if (longestIdle === socket) return;
    }
    this.#open.add(socket);
    this.#idle.add(socket);
    socket.on('close', () => this.#remove(socket));
  }

  #remove(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
  }
}

/** Node resumes a connection for each part of a response that is written. */
function keepPaused(this: Socket): void {
  this.pause();
}

/** What was written to a connection, and is not yet with the client or in a buffer of the system. */
function pendingBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number; bytesWritten: number } | null };
  // Of a large piece, the handle knows which part was taken.
  return handle ? handle.writeQueueSize + socket.bytesWritten - handle.bytesWritten : 0;
}
