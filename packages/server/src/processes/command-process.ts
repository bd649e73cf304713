import type { Server } from 'node:net';
import type { Address } from '../config/address.ts';
import type { RequestCounts } from '../http/limits/request-counts.ts';
import { HttpProblem } from '../http/problem/problem.ts';
import { Channel } from './channel.ts';
import { textOf } from './combined-measurements.ts';
import { type ListeningSocket, listenOn, socketOf } from './listening-socket.ts';
import type { ListenerName, Measurements, ProcessHandlers, Served, SupervisorHandlers } from './messages.ts';
import { SharedCounts } from './shared-counts.ts';

interface Own {
  /** Why this process is not ready; null if it is. */
  readiness: () => Promise<string | null>;
  /** All but what describes the whole registry, which any process can measure. */
  measurements: () => Promise<Measurements>;
}

/** This process as one of several that a command runs, and its way to the others. */
export class CommandProcess {
  /** From 1; a process that is started again has the number of the one that died. */
  readonly number: number;
  /** Counts the requests of all processes. */
  readonly counts: RequestCounts;
  readonly #channel: Channel<SupervisorHandlers>;
  readonly #sockets = new Map<string, ListeningSocket>();
  readonly #ended = Promise.withResolvers<void>();
  #isFirst = false;
  #own: Own | undefined;

  /** Joins the command that has started this process with a number. */
  static async join(number: number): Promise<CommandProcess> {
    process.on('disconnect', exitAlone);
    const joined = new CommandProcess(number);
    const { isFirst } = await joined.#channel.request('join', null);
    joined.#isFirst = isFirst;
    return joined;
  }

  private constructor(number: number) {
    this.number = number;
    const handlers: ProcessHandlers = {
      readiness: async () => (await this.#own?.readiness()) ?? null,
      measurements: async () => (await this.#own?.measurements()) ?? [],
      end: () => {
        this.#ended.resolve();
        return null;
      },
    };
    this.#channel = new Channel(process, handlers, (name, socket) => this.#sockets.set(name, socket));
    this.counts = new SharedCounts((requests) => this.#channel.request('count', requests));
  }

  /** Whether no process of the command has served before this one. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** Resolves when the supervisor ends the command. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Listens on the socket of the command, which the first process opens. */
  async listen(name: ListenerName, { server, address }: { server: Server; address: Address }): Promise<void> {
    const socket = this.#sockets.get(name);
    await listenOn(server, socket ?? address);
    if (!socket) this.#channel.handOver(name, socketOf(server));
  }

  /** To be called once this process serves. From then on it responds to the others, and survives the supervisor for as long as it drains. */
  async serve(served: Served, own: Own): Promise<void> {
    this.#own = own;
    await this.#channel.request('serving', served);
    process.off('disconnect', exitAlone);
  }

  /** Throws unless the other processes are ready. */
  async requireOthersReady(): Promise<void> {
    const problem = await this.#channel.request('readinessOfOthers', null);
    if (problem !== null) throw new HttpProblem('unavailable', problem);
  }

  /** The measurements of all processes, in the text format of Prometheus. */
  async measurementsText(own: Measurements): Promise<string> {
    const [supervisor = [], ...others] = await this.#channel.request('measurementsOfOthers', own);
    return textOf([supervisor, own, ...others]);
  }
}

/** Until it serves, a process has nothing to complete when its supervisor dies. */
function exitAlone(): void {
  process.exit(1);
}
