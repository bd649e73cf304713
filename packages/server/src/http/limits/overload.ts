import type { RequestContext } from '../listener/request-context.ts';

/** A request that has waited longer is rejected, so that later ones are served in time. */
const waitMsMax = 250;
/** The work that one slice of the event loop should start; further requests wait. */
const sliceMsTarget = 100;
/** A slice always starts this many. Most have fewer, and never read the processor time. */
const sliceRequestsMin = 16;

export interface OverloadOptions {
  /** In progress or queued at the same time; 0 means no limit. */
  requestsMax: number;
  serve: (context: RequestContext) => void;
  reject: (context: RequestContext) => void;
  /** The CPU time of this thread so far. */
  cpuMs?: () => number;
}

/**
 * Serves requests, and rejects those beyond capacity, so that even under a flood the served ones are served in time.
 *
 * Everything that has arrived comes in one turn of the event loop, which would start all of it at once. Each slice
 * starts no more than it can serve in a short time; the others queue for the next slices, and are rejected once they
 * have waited too long. All times are processor times: another process on the processor, or a slow disk, is no
 * reason to reject.
 */
export class Overload {
  readonly #options: OverloadOptions;
  readonly #cpuMs: () => number;
  readonly #queue: Queued[] = [];
  /** In progress or queued. */
  #requests = 0;
  #sliceRequestsMax = 4 * sliceRequestsMin;
  #slice: EventLoopSlice | undefined;
  /** From the first request that has waited too long until the queue is empty. */
  #isOverrun = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#cpuMs = options.cpuMs ?? threadCpuMs;
  }

  /** Serves or queues a request, or rejects it. Returns whether it counts: then `release` it. */
  accept(context: RequestContext): boolean {
    const { requestsMax, serve, reject } = this.#options;
    if (requestsMax > 0 && (this.#requests >= requestsMax || this.#wouldWaitTooLong())) {
      reject(context);
      return false;
    }
    this.#requests += 1;
    if (requestsMax === 0) serve(context);
    else this.#startOrQueue(context);
    return true;
  }

  /** To be called once the response to an accepted request has been sent, or can no longer be sent. */
  release(): void {
    this.#requests -= 1;
  }

  /** Rejecting at once costs less than queueing. */
  #wouldWaitTooLong(): boolean {
    return this.#isOverrun && this.#queue.length * sliceMsTarget >= this.#sliceRequestsMax * waitMsMax;
  }

  #startOrQueue(context: RequestContext): void {
    const slice = this.#slice ?? new EventLoopSlice(this.#cpuMs);
    if (this.#queue.length === 0 && slice.requests < this.#sliceRequestsMax) this.#start(context, slice);
    else this.#queue.push({ context, sinceMs: slice.startedAtMs });
    if (!this.#slice) this.#open(slice);
  }

  #start(context: RequestContext, slice: EventLoopSlice): void {
    slice.countRequest();
    this.#options.serve(context);
  }

  /** Scheduled after what its first request has deferred to the end of the turn: that work belongs to the slice. */
  #open(slice: EventLoopSlice): void {
    this.#slice = slice;
    setImmediate(() => this.#close(slice));
  }

  /** Everything that has arrived was accepted, and the started requests have done their work for now. */
  #close(slice: EventLoopSlice): void {
    if (this.#queue.length > 0 || slice.isMeasured) {
      this.#open(this.#nextSlice(slice));
      return;
    }
    this.#slice = undefined;
    this.#isOverrun = false;
  }

  #nextSlice(previous: EventLoopSlice): EventLoopSlice {
    const nowMs = this.#cpuMs();
    this.#adapt(previous, nowMs);
    const inTime = this.#queue.findIndex(({ sinceMs }) => nowMs - sinceMs <= waitMsMax);
    const late = this.#dequeue(inTime < 0 ? this.#queue.length : inTime);
    for (const context of late) this.#options.reject(context);
    const slice = new EventLoopSlice(this.#cpuMs, this.#cpuMs());
    for (const context of this.#dequeue(this.#sliceRequestsMax)) this.#start(context, slice);
    this.#isOverrun = late.length > 0 || (this.#isOverrun && this.#queue.length > 0);
    return slice;
  }

  /** Drops requests whose client has disconnected. */
  #dequeue(count: number): RequestContext[] {
    const contexts = this.#queue.splice(0, count).map(({ context }) => context);
    return contexts.filter(({ response }) => !response.closed);
  }

  /** Lowers the limit to what fits a slice; doubles it when a full slice took less than half of its time. */
  #adapt({ isMeasured, requests, startedAtMs }: EventLoopSlice, nowMs: number): void {
    if (!isMeasured) return;
    const workedMs = nowMs - startedAtMs;
    if (workedMs > sliceMsTarget) {
      this.#sliceRequestsMax = Math.max(sliceRequestsMin, Math.floor((requests * sliceMsTarget) / workedMs));
    } else if (workedMs < sliceMsTarget / 2 && requests >= this.#sliceRequestsMax) this.#sliceRequestsMax *= 2;
  }
}

interface Queued {
  context: RequestContext;
  sinceMs: number;
}

/** A turn of the event loop, with the requests that it starts. */
class EventLoopSlice {
  requests = 0;
  /** In processor time; NaN until enough requests have started. */
  startedAtMs: number;
  readonly #cpuMs: () => number;

  constructor(cpuMs: () => number, startedAtMs = Number.NaN) {
    this.#cpuMs = cpuMs;
    this.startedAtMs = startedAtMs;
  }

  get isMeasured(): boolean {
    return this.requests >= sliceRequestsMin;
  }

  countRequest(): void {
    this.requests += 1;
    if (this.isMeasured && Number.isNaN(this.startedAtMs)) this.startedAtMs = this.#cpuMs();
  }
}

/** The processor time of this thread. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
