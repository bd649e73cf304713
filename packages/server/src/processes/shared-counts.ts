import { type Count, type RequestCounts, RequestWindows } from '../http/limits/request-counts.ts';
import { HttpProblem } from '../http/problem/problem.ts';
import { ChannelClosed, ChannelSilent } from './channel.ts';
import type { CountRequest } from './messages.ts';

interface Queued {
  request: CountRequest;
  counted: PromiseWithResolvers<Count>;
}

interface SharedCountsOptions {
  /** How many processes share a limit. */
  processes: number;
  /** Counts them in the supervisor. */
  send: (requests: CountRequest[]) => Promise<Count[]>;
}

/**
 * Counts requests together with the other processes of a command, in the supervisor: at most once for each turn of the event
 * loop. While that does not respond, this process counts alone, and admits its share of each limit.
 */
export class SharedCounts implements RequestCounts {
  readonly #options: SharedCountsOptions;
  /** Its windows end between milliseconds: none is taken for one of the supervisor, which end at whole ones. */
  readonly #alone = new RequestWindows(() => Math.floor(performance.now()) + 0.5);
  #batch: Queued[] = [];

  constructor(options: SharedCountsOptions) {
    this.#options = options;
  }

  take(key: string, perMinute: number): Promise<Count> {
    return this.#count({ key, perMinute });
  }

  release(key: string, perMinute: number, endsAtMs: number | null): Promise<Count> {
    return this.#count({ key, perMinute, releasedFrom: endsAtMs });
  }

  #count(request: CountRequest): Promise<Count> {
    const counted = Promise.withResolvers<Count>();
    this.#batch.push({ request, counted });
    // After all requests whose tokens were looked up in one batch.
    if (this.#batch.length === 1) process.nextTick(() => void this.#flush());
    return counted.promise;
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const requests = batch.map(({ request }) => request);
    try {
      const counts = await this.#options.send(requests).catch((error: unknown) => this.#countAlone(requests, error));
      for (const [at, { counted }] of batch.entries()) counted.resolve(counts[at] as Count);
    } catch (error) {
      for (const { counted } of batch) counted.reject(error);
    }
  }

  #countAlone(requests: CountRequest[], error: unknown): Count[] {
    // Without a supervisor each process is shutting down, and the shares are never combined again.
    if (error instanceof ChannelClosed) throw new HttpProblem('unavailable', 'This process is shutting down.');
    if (!(error instanceof ChannelSilent)) throw error;
    const { processes } = this.#options;
    return requests.map((request) =>
      countIn(this.#alone, { ...request, perMinute: Math.ceil(request.perMinute / processes) }),
    );
  }
}

/** Counts or releases a request. */
export function countIn(windows: RequestWindows, { key, perMinute, releasedFrom }: CountRequest): Count {
  return releasedFrom === undefined ? windows.take(key, perMinute) : windows.release(key, perMinute, releasedFrom);
}
