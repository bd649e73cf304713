import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

interface Observation {
  route: string;
  method: string;
  status: number;
  seconds: number;
}

/** What is measured of a process, in the text format of Prometheus. */
export class HttpMetrics {
  /** For what others measure. */
  readonly registry = new Registry();
  readonly #duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observe({ seconds, ...labels }: Observation): void {
    this.#duration.observe(labels, seconds);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
