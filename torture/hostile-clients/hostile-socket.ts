import { connect, type Socket } from 'node:net';
import { type RawResponse, RawResponses } from '../raw-http/raw-responses.ts';

const waitingBytesMax = 1_000_000;

/** A connection whose client does as it likes, and which remembers what became of it. */
export class HostileSocket {
  readonly socket: Socket;
  readonly answers: RawResponse[] = [];
  readonly openedAt = performance.now();
  /** When the server ended it, or something did. */
  closedAt: number | undefined;
  /** It was ended by a reset. */
  wasReset = false;
  bytes = 0;
  readonly #raw = new RawResponses();

  static async open(port: number): Promise<HostileSocket> {
    const rude = new HostileSocket(port);
    await new Promise<void>((resolve) => rude.socket.once('connect', resolve).once('close', () => resolve()));
    return rude;
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

  /** How long it lived, as far as it is over. */
  get livedMs(): number | undefined {
    return this.closedAt === undefined ? undefined : this.closedAt - this.openedAt;
  }

  get statuses(): number[] {
    return this.answers.map(({ status }) => status);
  }

  send(bytes: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves once the server has ended it, or after so long. */
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
    // A long list is not held.
    if (this.#raw.waitingBytes > waitingBytesMax) return;
    this.#raw.add(piece);
    for (let answer = this.#raw.take(); answer; answer = this.#raw.take()) this.answers.push(answer);
  }

  #close(): void {
    this.closedAt ??= performance.now();
  }
}
