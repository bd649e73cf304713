import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry as MetricsRegistry } from 'prom-client';

/** Within the time that Prometheus waits for all metrics together, ten seconds unless told otherwise. */
const measureMsMax = 2_000;

/** A value, or one for each value of the label. */
type Measured = number | Record<string, number>;

export interface MeasuredGaugeOptions {
  name: string;
  help: string;
  label?: string;
  measure: () => Promise<Measured>;
  /** The value when it cannot be measured; without one it is left out then. */
  otherwise?: number;
}

/**
 * A gauge that is measured whenever it is read, once for all who read it meanwhile: a database that does not answer
 * has one question of each gauge to answer, and keeps nobody from the other metrics.
 */
export function measuredGauge(metrics: MetricsRegistry, options: MeasuredGaugeOptions): void {
  const { name, help, label, measure, otherwise } = options;
  let measuring: Promise<Measured> | undefined;
  new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [metrics],
    async collect() {
      measuring ??= measure().finally(() => {
        measuring = undefined;
      });
      const measured = (await inTime(measuring)) ?? otherwise;
      this.reset();
      // Only a label's values are forgotten by that.
      if (!label) this.remove();
      if (typeof measured === 'number') this.set(measured);
      else for (const [value, count] of Object.entries(measured ?? {})) this.set({ [label as string]: value }, count);
    },
  });
}

/** Undefined when it fails, or takes too long. */
async function inTime(measuring: Promise<Measured>): Promise<Measured | undefined> {
  const timer = new AbortController();
  const tooLate = sleep(measureMsMax, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([measuring, tooLate]);
  } catch {
    return undefined;
  } finally {
    timer.abort();
  }
}
