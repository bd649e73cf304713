import type { ChildProcess, SendHandle } from 'node:child_process';
import type { ListeningSocket } from './listening-socket.ts';

/** The requests that one end serves, by name: functions of one argument. */
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

/** The other end has not responded in time: its process hangs, or was stopped. */
export class ChannelSilent extends Error {
  override readonly name = 'ChannelSilent';
}

interface Pending extends PromiseWithResolvers<unknown> {
  deadline?: NodeJS.Timeout;
}

interface ChannelOptions {
  handlers: object;
  onSocket: (name: string, socket: ListeningSocket) => void;
  /** Time limit for the response to a `requestInTime`. */
  respondMsMax: number;
}

/** One end of the channel between a supervisor and one of its processes. Each end sends requests to the other, and hands over sockets. */
export class Channel<Theirs extends { [Name in keyof Theirs]: (argument: never) => unknown }> {
  readonly #port: NodeJS.Process | ChildProcess;
  readonly #handlers: Handlers;
  readonly #onSocket: (name: string, socket: ListeningSocket) => void;
  readonly #respondMsMax: number;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Whether a request in time went without a response, and nothing was received since. */
  #isSilent = false;

  constructor(port: NodeJS.Process | ChildProcess, { handlers, onSocket, respondMsMax }: ChannelOptions) {
    this.#port = port;
    this.#respondMsMax = respondMsMax;
    this.#handlers = handlers as Handlers;
    this.#onSocket = onSocket;
    port.on('message', (message, handle) => this.#receive(message as Message, handle as unknown as ListeningSocket));
    port.on('disconnect', () => this.#close());
  }

  /**
   * Waits for the response without a time limit. Rejects with `ChannelClosed` if the other process ends first. Use
   * `requestInTime` for anything that a client waits for.
   */
  request<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
  ): Promise<Response<Theirs[Name]>> {
    return this.#request(name, argument, Promise.withResolvers());
  }

  /**
   * Also rejects with `ChannelSilent` when the time limit has passed. Until the other end responds to an earlier
   * request, nothing more is sent and this rejects at once.
   */
  requestInTime<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
  ): Promise<Response<Theirs[Name]>> {
    if (this.#isSilent) return Promise.reject(new ChannelSilent());
    const deadline = setTimeout(() => this.#fallSilent(), this.#respondMsMax).unref();
    return this.#request(name, argument, { ...Promise.withResolvers(), deadline });
  }

  /** The other process can listen on it before it receives what is sent later. This one can close its own. */
  handOver(name: string, socket: ListeningSocket): void {
    this.#send({ socket: name }, socket);
  }

  #request<Handled>(request: string, argument: unknown, pending: Pending): Promise<Handled> {
    this.#lastId += 1;
    this.#pending.set(this.#lastId, pending);
    this.#send({ id: this.#lastId, request, argument });
    return pending.promise as Promise<Handled>;
  }

  #send(message: Message, socket?: ListeningSocket): void {
    const port = this.#port;
    if (!port.connected) this.#close();
    // A failure to write is followed by "disconnect".
    else port.send?.(message, socket as unknown as SendHandle, {}, () => {});
  }

  #receive(message: Message, socket: ListeningSocket): void {
    this.#isSilent = false;
    if ('socket' in message) this.#onSocket(message.socket, socket);
    else if ('request' in message) void this.#respond(message);
    else {
      const pending = this.#take(message.id);
      if ('error' in message) pending?.reject(new Error(message.error));
      else pending?.resolve(message.response);
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.deadline);
    return pending;
  }

  async #respond({ id, request, argument }: { id: number; request: string; argument: unknown }): Promise<void> {
    try {
      this.#send({ id, response: await this.#handlers[request]?.(argument) });
    } catch (error) {
      this.#send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Later requests would wait for the same reason. */
  #fallSilent(): void {
    this.#isSilent = true;
    for (const [id, { deadline }] of this.#pending) if (deadline) this.#take(id)?.reject(new ChannelSilent());
  }

  #close(): void {
    for (const id of this.#pending.keys()) this.#take(id)?.reject(new ChannelClosed());
  }
}
