/** What waits for the next turn is then answered within a second, also when ten times as much is refused. */
const turnMsMax = 200;
/** Shorter turns, which are nearly all, never ask the clock of the processor. */
const turnMsShort = 20;

/**
 * Says what is too many, so that under a flood those that are taken are served in time: more than so many requests
 * at work at one time, and what comes when a turn of the event loop has worked for long. A turn takes all that has
 * arrived before it; SQLite answers at once, so that what waits is in no request at work, but in the connections.
 */
export class Overload {
  readonly #requestsMax: number;
  #requests = 0;
  /** When this turn began, and the time of the processor from when it was no short one any more. */
  #turn: { beganAt: number; used?: NodeJS.CpuUsage } | undefined;

  /** `requestsMax` 0 means that nothing is too many. */
  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  /** Counts a request, until it is given back; false when it is one too many. */
  take(): boolean {
    if (this.#requestsMax > 0 && (this.#requests >= this.#requestsMax || this.#hasTurnWorkedLong())) return false;
    this.#requests += 1;
    return true;
  }

  /** To be called once the answer to a request that was taken has left or cannot leave any more. */
  giveBack(): void {
    this.#requests -= 1;
  }

  /** By the time of the processor: one that others use is no reason to refuse. */
  #hasTurnWorkedLong(): boolean {
    if (!this.#turn) {
      this.#turn = { beganAt: performance.now() };
      // Comes after all that has arrived.
      setImmediate(() => {
        this.#turn = undefined;
      });
      return false;
    }
    const turn = this.#turn;
    if (performance.now() - turn.beganAt <= turnMsShort) return false;
    turn.used ??= process.threadCpuUsage();
    const { user, system } = process.threadCpuUsage(turn.used);
    return turnMsShort + (user + system) / 1_000 > turnMsMax;
  }
}
