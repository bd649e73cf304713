const delaysMs = [100, 200, 400, 800, 1_600, 3_200, 6_400];
/** A process that has lived longer than this starts a new count of deaths. */
const stableMs = 60_000;

/** When a process that died is started again. */
export class Restarts {
  /** Consecutive deaths. */
  deaths = 0;

  /** How long to wait after a death; null after so many in a row that another start would change nothing. */
  nextDelayMs(livedMs: number): number | null {
    this.deaths = livedMs >= stableMs ? 1 : this.deaths + 1;
    return delaysMs[this.deaths - 1] ?? null;
  }
}
