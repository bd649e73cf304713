import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answered {
  status: number;
  body: Buffer;
}

const headerEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

/**
 * One connection that is kept, with one request on it at a time. It reads as little of an answer as it can, so that
 * one core makes more requests than a server on another one answers.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer = nothing;
  #onAnswer: ((answer: Answered) => void) | undefined;
  #onFault: (error: Error) => void = () => {};

  static async open(port: number, onFault: (error: Error) => void): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket, onFault);
  }

  constructor(socket: Socket, onFault: (error: Error) => void) {
    this.#socket = socket;
    this.#onFault = onFault;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#onFault(error));
    socket.on('close', () => this.#onAnswer && this.#onFault(new Error('a connection was closed before its answer')));
  }

  ask(request: Buffer, onAnswer: (answer: Answered) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#onAnswer = undefined;
    this.#onFault = () => {};
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
      this.#onFault(new Error('this load generator reads no answer without a Content-Length'));
      return;
    }
    if (this.#received.length < bodyStart + length) return;
    const body = this.#received.subarray(bodyStart, bodyStart + length);
    this.#received = nothing;
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.({ status, body });
  }
}

function lengthOf(header: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(header)?.[1] ?? Number.NaN);
}
