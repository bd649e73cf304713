import type { Registry as MetricsRegistry } from 'prom-client';
import { soonestExpiries } from '../features/access/used-tokens.ts';
import type { Registry } from '../kernel/registry.ts';
import { measuredGauge } from './measured-gauge.ts';

/** Measures whether the registry is ready (`requireReady` throws if it is not), and what is about to expire. */
export function measureRegistry(registry: Registry, metrics: MetricsRegistry, requireReady: () => Promise<void>): void {
  measuredGauge(metrics, {
    name: 'registry_ready',
    help: '1 when /readyz would respond with 200, else 0.',
    otherwise: 0,
    async measure() {
      await requireReady();
      return 1;
    },
  });
  measuredGauge(metrics, {
    name: 'access_token_soonest_expiry_timestamp_seconds',
    help: 'Earliest expiry of the tokens of a kind that are not revoked, were used within 7 days and were issued for 14 days or more.',
    label: 'kind',
    async measure() {
      const soonest = Object.entries(await soonestExpiries(registry));
      return Object.fromEntries(soonest.map(([kind, at]) => [kind, at / 1_000]));
    },
  });
}
