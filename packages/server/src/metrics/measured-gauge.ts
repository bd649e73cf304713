import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry as MetricsRegistry } from 'prom-client';

/** Less than the scrape timeout of Prometheus for all metrics together, ten seconds by default. */
const measureMsMax = 2_000;

/** One value, or one per value of the label. */
type Measured = number | Record<string, number>;

export interface MeasuredGaugeOptions {
  name: string;
  help: string;
  label?: string;
  measure: () => Promise<Measured>;
  /** The value when measuring fails; without it, the gauge is then omitted. */
  otherwise?: number;
  /** Ends when a measurement takes too long. Rejects once the signal is aborted. */
  tooLate?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * A gauge that is measured whenever it is read, once for all concurrent readers. So an unresponsive database gets one
 * query per gauge and does not block other metrics.
 */
export function measuredGauge(metrics: MetricsRegistry, options: MeasuredGaugeOptions): void {
  const { name, help, label, measure, otherwise, tooLate = measureTimeout } = options;
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
      const measured = (await inTime(measuring, tooLate)) ?? otherwise;
      this.reset();
      // `reset` removes only the values of labels.
      if (!label) this.remove();
      if (typeof measured === 'number') this.set(measured);
      else if (label) for (const [value, count] of Object.entries(measured ?? {})) this.set({ [label]: value }, count);
    },
  });
}

function measureTimeout(signal: AbortSignal): Promise<unknown> {
  return sleep(measureMsMax, undefined, { signal });
}

/** Undefined when it fails or takes too long. */
async function inTime(
  measuring: Promise<Measured>,
  tooLate: (signal: AbortSignal) => Promise<unknown>,
): Promise<Measured | undefined> {
  const timer = new AbortController();
  const ended = tooLate(timer.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([measuring, ended]);
  } catch {
    return undefined;
  } finally {
    timer.abort();
  }
}
