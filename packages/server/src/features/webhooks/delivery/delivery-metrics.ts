import { Counter, type Registry as MetricsRegistry } from 'prom-client';
import type { Registry } from '../../../kernel/registry.ts';
import { measuredGauge } from '../../../metrics/registry-metrics.ts';
import type { Outcome } from '../deliveries/record-attempts.ts';
import { countedMax, countPending, oldestPendingMs } from '../deliveries/stored-deliveries.ts';

/** Metrics of this process's attempts, and of the pending deliveries of all processes. */
export class DeliveryMetrics {
  readonly #attempts: Counter<'outcome'>;

  constructor(registry: Registry, metrics: MetricsRegistry) {
    this.#attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by outcome.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    // Initialised to 0, so that an alert can detect the first increase.
    for (const outcome of ['delivered', 'retried', 'given up'] as const) this.#attempts.inc(outcomeLabel(outcome), 0);
    measuredGauge(metrics, {
      name: 'webhook_deliveries_pending',
      help: `Pending deliveries of enabled webhooks; at most ${countedMax} are counted per webhook.`,
      measure: () => countPending(registry),
    });
    measuredGauge(metrics, {
      name: 'webhook_oldest_pending_age_seconds',
      help: 'Age of the oldest pending delivery; 0 when there is none.',
      measure: async () => (await oldestPendingMs(registry)) / 1_000,
    });
  }

  /** Each event of a batch counts. */
  attempted(outcome: Outcome['state'], deliveries: number): void {
    this.#attempts.inc(outcomeLabel(outcome), deliveries);
  }
}

function outcomeLabel(outcome: Outcome['state']): { outcome: string } {
  return { outcome: outcome.replaceAll(' ', '_') };
}
