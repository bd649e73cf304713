import { connect, type Socket } from 'node:net';

const tickMs = 2;
const endMsMax = 15_000;

export interface LoadOrder {
  port: number;
  /** Sent in turn, unchanged. */
  requests: string[];
  /** The number of connections. */
  connections: number;
  /** Requests per second, regardless of responses. 0: each connection sends again once it has its response. */
  rate: number;
  seconds: number;
}

/** The outcome of the requests of one load. */
export interface LoadResult {
  seconds: number;
  /** The number of requests that were due. */
  wanted: number;
  /** The number of requests that were sent. */
  sent: number;
  /** The duration of each 200. */
  servedMs: number[];
  /** The duration of each 503 with `Retry-After`. */
  refusedMs: number[];
  /** Other statuses, including 503 without `Retry-After`, and connections that were closed early. */
  failures: Record<string, number>;
  unanswered: number;
}

interface Connection {
  socket: Socket;
  /** When its request was sent; 0 while it has none. */
  sentAt: number;
  received: string;
}

/**
 * Sends requests over many connections, one at a time on each, independent of the responses on others. Has its own
 * minimal parser: the generator must outpace the service.
 */
export class OpenLoad {
  readonly #order: LoadOrder;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #requests: Buffer[];
  readonly #servedMs: number[] = [];
  readonly #refusedMs: number[] = [];
  readonly #failures: Record<string, number> = {};
  #wanted = 0;
  #sent = 0;
  #isOver = false;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#requests = order.requests.map((text) => Buffer.from(text, 'latin1'));
  }

  async run(): Promise<LoadResult> {
    const { connections, rate, seconds } = this.#order;
    await this.#connect(connections);
    const startedAt = performance.now();
    if (rate === 0) this.#keepAllBusy();
    else await this.#offer(rate, seconds * 1_000);
    await sleep(startedAt + seconds * 1_000 - performance.now());
    this.#isOver = true;
    const elapsedSeconds = (performance.now() - startedAt) / 1_000;
    const deadline = performance.now() + endMsMax;
    while (this.#busy() > 0 && performance.now() < deadline) await sleep(20);
    const result = this.#result(elapsedSeconds);
    for (const { socket } of this.#all) socket.destroy();
    return result;
  }

  /** Opens a few at a time, as the backlog of a listener is limited. */
  async #connect(connections: number): Promise<void> {
    while (this.#all.size < connections) {
      const opened: Promise<void>[] = [];
      for (let left = Math.min(100, connections - this.#all.size); left > 0; left -= 1) {
        const { socket } = this.#open();
        opened.push(new Promise((resolve) => socket.once('connect', resolve).once('close', () => resolve())));
      }
      await Promise.all(opened);
    }
    this.#idle.push(...this.#all);
  }

  #keepAllBusy(): void {
    this.#wanted = Number.POSITIVE_INFINITY;
    for (const connection of this.#idle.splice(0)) this.#send(connection);
  }

  /** Sends at a constant rate, regardless of responses. Skips requests while no connection is free. */
  async #offer(rate: number, ms: number): Promise<void> {
    const startedAt = performance.now();
    for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - startedAt) {
      const due = Math.floor((elapsed * rate) / 1_000);
      for (; this.#wanted < due; this.#wanted += 1) {
        const connection = this.#idle.shift();
        if (connection) this.#send(connection);
      }
      await sleep(tickMs);
    }
  }

  #open(): Connection {
    const socket = connect({ port: this.#order.port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { socket, sentAt: 0, received: '' };
    socket.on('data', (piece) => this.#receive(connection, piece as Buffer));
    socket.on('error', () => {});
    socket.on('close', () => this.#closed(connection));
    this.#all.add(connection);
    return connection;
  }

  #send(connection: Connection): void {
    connection.sentAt = performance.now();
    connection.socket.write(this.#requests[this.#sent % this.#requests.length] as Buffer);
    this.#sent += 1;
  }

  /** Most responses arrive in one piece. Parses as little of the header as possible. */
  #receive(connection: Connection, piece: Buffer): void {
    const text = connection.received + piece.toString('latin1');
    const headerEnd = text.indexOf('\r\n\r\n');
    const length = headerEnd < 0 ? 0 : Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (headerEnd < 0 || text.length < headerEnd + 4 + length) {
      connection.received = text;
      return;
    }
    connection.received = '';
    this.#count(text.slice(9, 12), { text, headerEnd, ms: performance.now() - connection.sentAt });
    connection.sentAt = 0;
    if (this.#isOver) return;
    if (this.#order.rate === 0) this.#send(connection);
    else this.#idle.push(connection);
  }

  #count(status: string, { text, headerEnd, ms }: { text: string; headerEnd: number; ms: number }): void {
    if (status === '200') this.#servedMs.push(ms);
    else if (status === '503' && text.slice(0, headerEnd).includes('retry-after: ')) this.#refusedMs.push(ms);
    else this.#fail(status);
  }

  #closed(connection: Connection): void {
    this.#all.delete(connection);
    if (connection.sentAt > 0) this.#fail('closed');
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!this.#isOver) this.#idle.push(this.#open());
  }

  #fail(what: string): void {
    this.#failures[what] = (this.#failures[what] ?? 0) + 1;
  }

  #busy(): number {
    return [...this.#all].filter(({ sentAt }) => sentAt > 0).length;
  }

  #result(seconds: number): LoadResult {
    return {
      seconds,
      wanted: Number.isFinite(this.#wanted) ? this.#wanted : this.#sent,
      sent: this.#sent,
      failures: this.#failures,
      unanswered: this.#busy(),
      servedMs: this.#servedMs,
      refusedMs: this.#refusedMs,
    };
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
