import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface LoadResponse {
  status: number;
  body: Buffer;
}

const headerEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

/**
 * A persistent connection with one request at a time. Has its own minimal parser instead of the testkit's: one core
 * must generate more requests than a server on another core can serve.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer = nothing;
  #onResponse: ((response: LoadResponse) => void) | undefined;
  #onError: (error: Error) => void = () => {};

  static async open(port: number, onError: (error: Error) => void): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket, onError);
  }

  constructor(socket: Socket, onError: (error: Error) => void) {
    this.#socket = socket;
    this.#onError = onError;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#onError(error));
    socket.on(
      'close',
      () => this.#onResponse && this.#onError(new Error('a connection was closed before its response')),
    );
  }

  send(request: Buffer, onResponse: (response: LoadResponse) => void): void {
    if (this.#socket.destroyed) {
      this.#onError(new Error('a connection was closed while it was idle'));
      return;
    }
    this.#onResponse = onResponse;
    this.#socket.write(request);
  }

  close(): void {
    this.#onResponse = undefined;
    this.#onError = () => {};
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(headerEnd);
    if (end < 0) return;
    const status = Number(this.#received.toString('latin1', 9, 12));
    const bodyStart = end + headerEnd.length;
    const length = status === 304 || status === 204 ? 0 : lengthOf(this.#received.toString('latin1', 0, end));
    if (Number.isNaN(length)) {
      this.#onError(new Error('this load generator requires a Content-Length'));
      return;
    }
    if (this.#received.length < bodyStart + length) return;
    const body = this.#received.subarray(bodyStart, bodyStart + length);
    this.#received = nothing;
    const onResponse = this.#onResponse;
    this.#onResponse = undefined;
    onResponse?.({ status, body });
  }
}

function lengthOf(header: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(header)?.[1] ?? Number.NaN);
}
