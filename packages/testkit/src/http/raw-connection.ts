import { connect, type Socket } from 'node:net';
import type { HttpResponse } from './http-response.ts';
import { ResponseParser } from './response-parser.ts';

export interface RawSendOptions {
  isHead?: boolean;
  timeoutMs?: number;
}

interface PendingRequest {
  isHead: boolean;
  resolve: (response: HttpResponse) => void;
  reject: (error: Error) => void;
}

/** Sends one request after another, as arbitrary bytes, over one connection. Reconnects when the server has closed it. */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #pending: PendingRequest | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves to the next final response. Rejects when the connection fails or stays silent for the timeout. */
  send(
    request: string | Uint8Array,
    { isHead = false, timeoutMs = 30_000 }: RawSendOptions = {},
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#pending = { isHead, resolve, reject };
      const socket = this.#open();
      socket.setTimeout(timeoutMs);
      socket.write(request);
    });
  }

  /** Sends bytes without waiting for a response. */
  write(bytes: string | Uint8Array): void {
    this.#open().write(bytes);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const parser = new ResponseParser();
    const fail = (reason: string) => {
      socket.destroy();
      if (this.#socket === socket) this.#fail(reason);
    };
    socket.on('data', (piece: Buffer) => {
      parser.add(piece);
      const pending = this.#pending;
      const response = pending && parser.takeFinal(pending);
      if (!response) return;
      if (response.headers.connection === 'close') socket.destroy();
      this.#pending = undefined;
      pending.resolve(response);
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('timeout', () => fail('no data arrived in time'));
    socket.on('end', () => fail('the connection was closed'));
    socket.on('close', () => fail('the connection was closed'));
    this.#socket = socket;
    return socket;
  }

  #fail(reason: string): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(new Error(`no response: ${reason}`));
  }
}
