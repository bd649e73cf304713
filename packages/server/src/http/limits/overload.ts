import type { Exchange } from '../listener/exchange.ts';

/** Whoever has waited for longer is refused, so that those who come after are served in time. */
const waitMsMax = 250;
/** Of work with those that one turn of the event loop starts; the next ones wait for them. */
const turnMsAimed = 100;
/** So many are always started in one turn. In most there are fewer, and these never ask the processor for its time. */
const turnRequestsMin = 16;

export interface OverloadOptions {
  /** At work or in line at one time; 0 means that nothing is too many. */
  requestsMax: number;
  serve: (exchange: Exchange) => void;
  refuse: (exchange: Exchange) => void;
}

/**
 * Serves what comes, and refuses what is too much, so that under a flood those that are served are served in time.
 *
 * A turn of the event loop brings all that has arrived, and would work on all of it at once. Here it starts no more
 * than it can serve in a short time; the others stand in line for the next turns, and are refused once they have waited
 * too long. All times are those of the processor: one that others use, or a slow disk, is no reason to refuse.
 */
export class Overload {
  readonly #options: OverloadOptions;
  readonly #line: Waiting[] = [];
  /** At work or in line. */
  #requests = 0;
  #turnRequestsMax = 4 * turnRequestsMin;
  #turn: Turn | undefined;
  /** Since someone has waited too long, and until nobody waits. */
  #isOverrun = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
  }

  /** Whether it has been counted: then it is to be given back. */
  take(exchange: Exchange): boolean {
    const { requestsMax, serve, refuse } = this.#options;
    if (requestsMax > 0 && (this.#requests >= requestsMax || this.#isTooLate())) {
      refuse(exchange);
      return false;
    }
    this.#requests += 1;
    if (requestsMax === 0) serve(exchange);
    else this.#startOrLineUp(exchange);
    return true;
  }

  /** To be called once the answer to a request that was taken has left or cannot leave any more. */
  release(): void {
    this.#requests -= 1;
  }

  /** Whether one that comes now would wait too long, too: it is told so at once, which costs less than to keep it. */
  #isTooLate(): boolean {
    return this.#isOverrun && this.#line.length * turnMsAimed >= this.#turnRequestsMax * waitMsMax;
  }

  #startOrLineUp(exchange: Exchange): void {
    const turn = this.#turn ?? new Turn();
    if (this.#line.length === 0 && turn.started < this.#turnRequestsMax) this.#start(exchange, turn);
    else this.#line.push({ exchange, sinceMs: turn.beganAtMs });
    if (!this.#turn) this.#begin(turn);
  }

  #start(exchange: Exchange, turn: Turn): void {
    turn.start();
    this.#options.serve(exchange);
  }

  /** Behind what its first request has put off to the end of this turn: that is its work. */
  #begin(turn: Turn): void {
    this.#turn = turn;
    setImmediate(() => this.#end(turn));
  }

  /** All that has arrived was taken, and what was started has been worked on. */
  #end(turn: Turn): void {
    if (this.#line.length > 0 || turn.isMeasured) {
      this.#begin(this.#nextTurn(turn));
      return;
    }
    this.#turn = undefined;
    this.#isOverrun = false;
  }

  #nextTurn(before: Turn): Turn {
    const nowMs = cpuMs();
    this.#adapt(before, nowMs);
    const inTime = this.#line.findIndex(({ sinceMs }) => nowMs - sinceMs <= waitMsMax);
    const late = this.#next(inTime < 0 ? this.#line.length : inTime);
    for (const exchange of late) this.#options.refuse(exchange);
    const turn = new Turn(cpuMs());
    for (const exchange of this.#next(this.#turnRequestsMax)) this.#start(exchange, turn);
    this.#isOverrun = late.length > 0 || (this.#isOverrun && this.#line.length > 0);
    return turn;
  }

  /** Takes them out of the line; without those whose client has gone. */
  #next(count: number): Exchange[] {
    const exchanges = this.#line.splice(0, count).map(({ exchange }) => exchange);
    return exchanges.filter(({ response }) => !response.closed);
  }

  /** As many as have shown to be served in the time of a turn; twice as many when they took less than half of it. */
  #adapt({ isMeasured, started, beganAtMs }: Turn, nowMs: number): void {
    if (!isMeasured) return;
    const workedMs = nowMs - beganAtMs;
    if (workedMs > turnMsAimed) {
      this.#turnRequestsMax = Math.max(turnRequestsMin, Math.floor((started * turnMsAimed) / workedMs));
    } else if (workedMs < turnMsAimed / 2 && started >= this.#turnRequestsMax) this.#turnRequestsMax *= 2;
  }
}

interface Waiting {
  exchange: Exchange;
  sinceMs: number;
}

class Turn {
  started = 0;
  /** Of the time of the processor; known once it has started some. */
  beganAtMs: number;

  constructor(beganAtMs = Number.NaN) {
    this.beganAtMs = beganAtMs;
  }

  get isMeasured(): boolean {
    return this.started >= turnRequestsMin;
  }

  start(): void {
    this.started += 1;
    if (this.isMeasured && Number.isNaN(this.beganAtMs)) this.beganAtMs = cpuMs();
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
