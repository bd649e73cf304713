import { connect, type Socket } from 'node:net';
import type { LoadOrder } from './load-process.ts';

const tickMs = 2;
const endMsMax = 15_000;

/** What became of the requests of one load. */
export interface LoadResult {
  seconds: number;
  /** That were to be sent, and that were. */
  wanted: number;
  sent: number;
  /** How long each answer took: a 200, or a 503 that says when to come again. */
  servedMs: number[];
  refusedMs: number[];
  /** Other statuses, a 503 without Retry-After, connections that were cut. */
  faults: Record<string, number>;
  unanswered: number;
}

interface Connection {
  socket: Socket;
  /** When its request left; 0 when none is under way. */
  askedAt: number;
  received: string;
}

/** Asks over many connections, one thing at a time on each, without waiting for the answers of others. */
export class OpenLoad {
  readonly #order: LoadOrder;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #requests: Buffer[];
  readonly #servedMs: number[] = [];
  readonly #refusedMs: number[] = [];
  readonly #faults: Record<string, number> = {};
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
    const began = performance.now();
    if (rate === 0) this.#keepAllBusy();
    else await this.#offer(rate, seconds * 1_000);
    await sleep(began + seconds * 1_000 - performance.now());
    this.#isOver = true;
    const took = (performance.now() - began) / 1_000;
    const deadline = performance.now() + endMsMax;
    while (this.#busy() > 0 && performance.now() < deadline) await sleep(20);
    const result = this.#result(took);
    for (const { socket } of this.#all) socket.destroy();
    return result;
  }

  /** A few at a time: a listener has room for so many that wait to be accepted. */
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
    for (const connection of this.#idle.splice(0)) this.#ask(connection);
  }

  /** So many a second, whatever becomes of them; what no connection is free for is not sent. */
  async #offer(rate: number, ms: number): Promise<void> {
    const began = performance.now();
    for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - began) {
      const due = Math.floor((elapsed * rate) / 1_000);
      for (; this.#wanted < due; this.#wanted += 1) {
        const connection = this.#idle.shift();
        if (connection) this.#ask(connection);
      }
      await sleep(tickMs);
    }
  }

  #open(): Connection {
    const socket = connect({ port: this.#order.port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { socket, askedAt: 0, received: '' };
    socket.on('data', (piece) => this.#receive(connection, piece as Buffer));
    socket.on('error', () => {});
    socket.on('close', () => this.#closed(connection));
    this.#all.add(connection);
    return connection;
  }

  #ask(connection: Connection): void {
    connection.askedAt = performance.now();
    connection.socket.write(this.#requests[this.#sent % this.#requests.length] as Buffer);
    this.#sent += 1;
  }

  /** An answer mostly comes in one piece; its header is looked at as little as possible. */
  #receive(connection: Connection, piece: Buffer): void {
    const text = connection.received + piece.toString('latin1');
    const headerEnd = text.indexOf('\r\n\r\n');
    const length = headerEnd < 0 ? 0 : Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (headerEnd < 0 || text.length < headerEnd + 4 + length) {
      connection.received = text;
      return;
    }
    connection.received = '';
    this.#count(text.slice(9, 12), { text, headerEnd, ms: performance.now() - connection.askedAt });
    connection.askedAt = 0;
    if (this.#isOver) return;
    if (this.#order.rate === 0) this.#ask(connection);
    else this.#idle.push(connection);
  }

  #count(status: string, { text, headerEnd, ms }: { text: string; headerEnd: number; ms: number }): void {
    if (status === '200') this.#servedMs.push(ms);
    else if (status === '503' && text.slice(0, headerEnd).includes('retry-after: ')) this.#refusedMs.push(ms);
    else this.#fault(status);
  }

  #closed(connection: Connection): void {
    this.#all.delete(connection);
    if (connection.askedAt > 0) this.#fault('cut');
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!this.#isOver) this.#idle.push(this.#open());
  }

  #fault(what: string): void {
    this.#faults[what] = (this.#faults[what] ?? 0) + 1;
  }

  #busy(): number {
    return [...this.#all].filter(({ askedAt }) => askedAt > 0).length;
  }

  #result(seconds: number): LoadResult {
    return {
      seconds,
      wanted: Number.isFinite(this.#wanted) ? this.#wanted : this.#sent,
      sent: this.#sent,
      faults: this.#faults,
      unanswered: this.#busy(),
      servedMs: this.#servedMs,
      refusedMs: this.#refusedMs,
    };
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
