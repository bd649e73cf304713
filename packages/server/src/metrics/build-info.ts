import { Gauge, type Registry as MetricsRegistry } from 'prom-client';

/** Always 1; its labels name the program, as those of other programs that Prometheus scrapes. */
export function measureBuild(build: { version: string; commit?: string }, metrics: MetricsRegistry): void {
  new Gauge({
    name: 'registry_build_info',
    help: 'Always 1; the labels hold the version of the program and, if known, its commit.',
    labelNames: ['version', 'commit'],
    registers: [metrics],
  }).set({ ...build }, 1);
}
