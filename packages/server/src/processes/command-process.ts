import type { Server } from 'node:net';
import type { Address } from '../config/address.ts';
import type { RequestCounts } from '../http/limits/request-counts.ts';
import { HttpProblem } from '../http/problem/problem.ts';
import { Channel, ChannelSilent } from './channel.ts';
import { supervisorUp, textOf } from './combined-measurements.ts';
import { type ListeningSocket, listenOn, socketOf } from './listening-socket.ts';
import {
  type ListenerName,
  type Measurements,
  type ProcessHandlers,
  supervisorRespondMsMax as respondMsMax,
  type Served,
  type SupervisorHandlers,
} from './messages.ts';
import { SharedCounts } from './shared-counts.ts';

const silentDetail =
  'The supervisor of this command does not respond and may have been stopped. This process keeps serving, and enforces its share of the limits.';

interface Own {
  /** Why this process is not ready; null if it is. */
  readiness: () => Promise<string | null>;
  /** The metrics of this process alone, without those of the whole registry, which any process can measure. */
  measurements: () => Promise<Measurements>;
}

/** This process as one of several that a command runs, and its connection to the others. */
export class CommandProcess {
  /** From 1; a process that is started again has the number of the one that died. */
  readonly number: number;
  /** Counts the requests of all processes; those of this one alone while the supervisor does not respond. */
  readonly counts: RequestCounts;
  readonly #channel: Channel<SupervisorHandlers>;
  readonly #sockets = new Map<string, ListeningSocket>();
  readonly #ended = Promise.withResolvers<void>();
  #isFirst = false;
  #own: Own | undefined;

  /** Joins the command of so many processes that has started this one with a number. */
  static async join(number: number, processes: number): Promise<CommandProcess> {
    process.on('disconnect', exitAlone);
    const joined = new CommandProcess(number, processes);
    const { isFirst } = await joined.#channel.request('join', null);
    joined.#isFirst = isFirst;
    return joined;
  }

  private constructor(number: number, processes: number) {
    this.number = number;
    const handlers: ProcessHandlers = {
      readiness: async () => (await this.#own?.readiness()) ?? null,
      measurements: async () => (await this.#own?.measurements()) ?? [],
      end: () => {
        this.#ended.resolve();
        return null;
      },
    };
    const onSocket = (name: string, socket: ListeningSocket) => this.#sockets.set(name, socket);
    this.#channel = new Channel(process, { handlers, onSocket, respondMsMax });
    this.counts = new SharedCounts({
      processes,
      send: (requests) => this.#channel.requestInTime('count', requests),
    });
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

  /** Throws unless the other processes are ready, and the supervisor responds. */
  async requireOthersReady(): Promise<void> {
    const problem = await unlessSilent(this.#channel.requestInTime('readinessOfOthers', null), silentDetail);
    if (problem !== null) throw new HttpProblem('unavailable', problem);
  }

  /** The measurements of all processes, in the text format of Prometheus; of this one if the supervisor does not respond. */
  async measurementsText(own: Measurements): Promise<string> {
    const requested = this.#channel.requestInTime('measurementsOfOthers', own);
    const [supervisor = [], ...others] = await unlessSilent(requested, [[supervisorUp(false)]]);
    return textOf([supervisor, own, ...others]);
  }
}

/** Until it serves, a process has nothing to complete when its supervisor dies. */
function exitAlone(): void {
  process.exit(1);
}

/** The response of the supervisor, or a default while it does not respond. */
async function unlessSilent<Response>(requested: Promise<Response>, otherwise: Response): Promise<Response> {
  return requested.catch((error: unknown) => {
    if (error instanceof ChannelSilent) return otherwise;
    throw error;
  });
}
