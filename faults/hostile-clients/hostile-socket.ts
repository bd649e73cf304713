import { connect, type Socket } from 'node:net';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { ResponseParser } from '@appregistrar/testkit/http/response-parser';

const pendingBytesMax = 1_000_000;

/** The connection of a hostile client, with a record of its responses and its end. */
export class HostileSocket {
  readonly socket: Socket;
  readonly responses: HttpResponse[] = [];
  readonly openedAt = performance.now();
  /** When it was closed. */
  closedAt: number | undefined;
  /** Whether it was closed by a reset. */
  wasReset = false;
  bytes = 0;
  readonly #parser = new ResponseParser();

  static async open(port: number): Promise<HostileSocket> {
    const client = new HostileSocket(port);
    await new Promise<void>((resolve) => client.socket.once('connect', resolve).once('close', () => resolve()));
    return client;
  }

  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.socket.on('data', (piece: Buffer) => this.#read(piece));
    this.socket.on('end', () => {
      this.#close();
      this.socket.end();
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.wasReset = true;
    });
    this.socket.on('close', () => this.#close());
  }

  /** How long it was open; undefined while it is. */
  get lifetimeMs(): number | undefined {
    return this.closedAt === undefined ? undefined : this.closedAt - this.openedAt;
  }

  get statuses(): number[] {
    return this.responses.map(({ status }) => status);
  }

  send(bytes: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves once it is closed, or after this time. */
  async ended(msMax: number): Promise<void> {
    const deadline = performance.now() + msMax;
    while (this.closedAt === undefined && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  #read(piece: Buffer): void {
    this.bytes += piece.length;
    // Does not buffer a long list.
    if (this.#parser.pendingBytes > pendingBytesMax) return;
    this.#parser.add(piece);
    for (let response = this.#parser.takeFinal(); response; response = this.#parser.takeFinal())
      this.responses.push(response);
  }

  #close(): void {
    this.closedAt ??= performance.now();
  }
}
