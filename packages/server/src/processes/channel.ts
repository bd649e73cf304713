import type { ChildProcess, SendHandle } from 'node:child_process';
import type { ListeningSocket } from './listening-socket.ts';

/** What one end does on request, by name: a function of one argument. */
// biome-ignore lint/suspicious/noExplicitAny: each handler has an argument of its own.
type Handlers = Record<string, (argument: any) => unknown>;
type Response<Handler extends (argument: never) => unknown> = Awaited<ReturnType<Handler>>;

type Message =
  | { id: number; request: string; argument: unknown }
  | { id: number; response: unknown }
  | { id: number; error: string }
  | { socket: string };

/** The other end was closed: its process has ended. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
}

/** One end of the channel between a supervisor and one of its processes. Each end sends requests to the other, and hands over sockets. */
export class Channel<Theirs extends { [Name in keyof Theirs]: (argument: never) => unknown }> {
  readonly #port: NodeJS.Process | ChildProcess;
  readonly #handlers: Handlers;
  readonly #onSocket: (name: string, socket: ListeningSocket) => void;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(
    port: NodeJS.Process | ChildProcess,
    handlers: object,
    onSocket: (name: string, socket: ListeningSocket) => void,
  ) {
    this.#port = port;
    this.#handlers = handlers as Handlers;
    this.#onSocket = onSocket;
    port.on('message', (message, handle) => this.#receive(message as Message, handle as unknown as ListeningSocket));
    port.on('disconnect', () => this.#close());
  }

  /** Rejects with `ChannelClosed` if the other process ends before it responds. */
  request<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
  ): Promise<Response<Theirs[Name]>> {
    const pending = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    this.#pending.set(this.#lastId, pending);
    this.#send({ id: this.#lastId, request: name, argument });
    return pending.promise as Promise<Response<Theirs[Name]>>;
  }

  /** The other process can listen on it before it receives what is sent later. This one can close its own. */
  handOver(name: string, socket: ListeningSocket): void {
    this.#send({ socket: name }, socket);
  }

  #send(message: Message, socket?: ListeningSocket): void {
    const port = this.#port;
    if (!port.connected) this.#close();
    // A failure to write is followed by "disconnect".
    else port.send?.(message, socket as unknown as SendHandle, {}, () => {});
  }

  #receive(message: Message, socket: ListeningSocket): void {
    if ('socket' in message) this.#onSocket(message.socket, socket);
    else if ('request' in message) void this.#respond(message);
    else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('error' in message) pending?.reject(new Error(message.error));
      else pending?.resolve(message.response);
    }
  }

  async #respond({ id, request, argument }: { id: number; request: string; argument: unknown }): Promise<void> {
    try {
      this.#send({ id, response: await this.#handlers[request]?.(argument) });
    } catch (error) {
      this.#send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  #close(): void {
    for (const { reject } of this.#pending.values()) reject(new ChannelClosed('the other process has ended'));
    this.#pending.clear();
  }
}
