import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The metrics of a process, in the text format of Prometheus. */
export class HttpMetrics {
  /** Other modules register their metrics here. */
  readonly registry = new Registry();
  readonly connectionsDropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once because there were too many.',
    labelNames: ['listener'],
    registers: [this.registry],
  });
  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
