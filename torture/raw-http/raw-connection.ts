import { connect, type Socket } from 'node:net';
import { type RawResponse, RawResponses } from './raw-responses.ts';

/** The connection ended, or nothing came for so long, before an answer was whole. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface RawAsk {
  isHead?: boolean;
  timeoutMs?: number;
}

interface Waiting extends Required<Pick<RawAsk, 'isHead'>> {
  resolve: (answer: RawResponse) => void;
  reject: (error: Error) => void;
}

/** Asks one thing after another over a connection, in whatever bytes; it connects anew when the server has closed. */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends bytes and resolves to the next answer. Rejects with `NoAnswer`. */
  ask(request: string | Uint8Array, { isHead = false, timeoutMs = 30_000 }: RawAsk = {}): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#waiting = { isHead, resolve, reject };
      const socket = this.#open();
      socket.setTimeout(timeoutMs);
      socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const answers = new RawResponses();
    const fail = (reason: string) => {
      socket.destroy();
      if (this.#socket === socket) this.#fail(reason);
    };
    socket.on('data', (piece: Buffer) => {
      answers.add(piece);
      const answer = this.#waiting && answers.take(this.#waiting);
      if (!answer) return;
      if (answer.headers.connection === 'close') socket.destroy();
      const { resolve } = this.#waiting as Waiting;
      this.#waiting = undefined;
      resolve(answer);
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('timeout', () => fail('nothing came in time'));
    socket.on('end', () => fail('the connection was closed'));
    socket.on('close', () => fail('the connection was closed'));
    this.#socket = socket;
    return socket;
  }

  #fail(reason: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new NoAnswer(reason));
  }
}
