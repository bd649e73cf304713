import type { Count, RequestCounts } from '../http/limits/request-counts.ts';
import { HttpProblem } from '../http/problem/problem.ts';
import { ChannelClosed } from './channel.ts';
import type { CountRequest } from './messages.ts';

interface Queued {
  request: CountRequest;
  counted: PromiseWithResolvers<Count>;
}

/** Counts requests together with the other processes of a command, in the supervisor: at most once for each turn of the event loop. */
export class SharedCounts implements RequestCounts {
  readonly #send: (requests: CountRequest[]) => Promise<Count[]>;
  #batch: Queued[] = [];

  constructor(send: (requests: CountRequest[]) => Promise<Count[]>) {
    this.#send = send;
  }

  take(key: string, perMinute: number): Promise<Count> {
    return this.#count({ key, perMinute });
  }

  release(key: string, endsAtMs: number | null): Promise<Count> {
    return this.#count({ key, releasedFrom: endsAtMs });
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
    try {
      const counts = await this.#send(batch.map(({ request }) => request));
      for (const [at, { counted }] of batch.entries()) counted.resolve(counts[at] as Count);
    } catch (error) {
      // Without the supervisor, a count alone would allow more than the limit.
      const reason =
        error instanceof ChannelClosed ? new HttpProblem('unavailable', 'This process is about to end.') : error;
      for (const { counted } of batch) counted.reject(reason);
    }
  }
}
