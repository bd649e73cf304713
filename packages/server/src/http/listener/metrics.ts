import { Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { Durations } from './durations.ts';

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
}
