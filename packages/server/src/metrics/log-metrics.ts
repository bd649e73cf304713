import { Counter, type Registry as MetricsRegistry } from 'prom-client';

export function measureLog(log: { droppedLines: () => number }, metrics: MetricsRegistry): void {
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines dropped because the output was not read or could not be written.',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(log.droppedLines());
    },
  });
}
