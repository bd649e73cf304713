import { Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { Durations } from './durations.ts';

/** What a metric has measured. The types of prom-client describe it otherwise. */
export interface Measured {
  name: string;
  help: string;
  type: string;
  /** How the values of several processes make one. */
  aggregator: string;
  values: { value: number; labels: object; metricName?: string }[];
}

/** The metrics of a process, in the text format of Prometheus. */
export class HttpMetrics {
  /** Other modules register their metrics here. */
  readonly registry = new Registry();
  readonly requests = new Durations('http_request_duration_seconds', 'Time from a request to the end of its response.');
  readonly connectionsDropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once because there were too many.',
    labelNames: ['listener'],
    registers: [this.registry],
  });
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // The registry only reads the samples of a metric.
    this.registry.registerMetric(this.requests as unknown as Metric);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** All measurements, to combine with those of other processes. */
  async all(): Promise<Measured[]> {
    return (await this.registry.getMetricsAsJSON()) as unknown as Measured[];
  }

  /** All but those of the whole registry, which need only be measured once. */
  async ownOfProcess(): Promise<Measured[]> {
    const own = this.registry.getMetricsAsArray().filter(({ aggregator }) => aggregator !== 'first');
    const measured = await Promise.all(own.map((metric) => (metric as unknown as Metric).get()));
    return measured as unknown as Measured[];
  }
}
