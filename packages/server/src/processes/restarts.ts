const delaysMs = [100, 200, 400, 800, 1_600, 3_200, 6_400];
/** Who has lived longer has not died in a row with an earlier one. */
const stableMs = 60_000;

/** When a process that died is started again. */
export class Restarts {
  /** In a row. */
  deaths = 0;

  /** How long to wait after a death; null after so many in a row that another start would change nothing. */
  nextDelayMs(livedMs: number): number | null {
    this.deaths = livedMs >= stableMs ? 1 : this.deaths + 1;
    return delaysMs[this.deaths - 1] ?? null;
  }
}
