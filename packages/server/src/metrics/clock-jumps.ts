import { Counter, type Registry as MetricsRegistry } from 'prom-client';
import type { Registry } from '../kernel/registry.ts';

const everyMs = 1_000;
/** Corrections of an accurate clock are smaller, or gradual. */
const jumpMsMin = 5_000;

/**
 * Counts how often the clock is set, and reports each jump: by how much it is ahead of what the machine measured since
 * the second before. Returns a function that stops this.
 */
export function watchClock(
  { now, machine }: Registry,
  metrics: MetricsRegistry,
  onJump: (jumpMs: number) => void,
): () => void {
  const jumps = new Counter({
    name: 'clock_jumps_total',
    help: 'Times that the clock jumped by more than 5 seconds while this process ran.',
    registers: [metrics],
  });
  const startedAt = () => now() - machine.uptimeMs();
  let before = startedAt();
  const timer = setInterval(() => {
    const jumpMs = Math.round(startedAt() - before);
    before += jumpMs;
    if (Math.abs(jumpMs) < jumpMsMin) return;
    jumps.inc();
    onJump(jumpMs);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
