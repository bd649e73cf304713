import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { Durations } from './durations.ts';

/** What is measured of a process, in the text format of Prometheus. */
export class HttpMetrics {
  /** For what others measure. */
  readonly registry = new Registry();
  readonly requests = new Durations('http_request_duration_seconds', 'Time from a request to the end of its answer.');
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // It asks a metric for its samples, and nothing else.
    this.registry.registerMetric(this.requests as unknown as Metric);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
