import type { Registry as MetricsRegistry } from 'prom-client';
import type { Registry } from '../registry/registry.ts';
import { mostStoredBytes } from '../registry/stored-bytes.ts';
import { soonestExpiries } from '../registry/tokens/soonest-expiries.ts';
import { measuredGauge } from './measured-gauge.ts';

/** Measures whether the registry is ready, for which `requireReady` throws otherwise, and what is about to expire. */
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
    name: 'developer_stored_bytes_max',
    help: 'The most that the updates of one developer have stored in this UTC day.',
    measure: () => mostStoredBytes(registry),
  });
  measuredGauge(metrics, {
    name: 'developer_stored_bytes_limit',
    help: 'How much they may store in a day; 0 means no limit.',
    measure: async () => registry.storedBytesPerDeveloperPerDay,
  });
  measuredGauge(metrics, {
    name: 'access_token_soonest_expiry_timestamp_seconds',
    help: 'When the first token of a kind expires that is not revoked, was used within 7 days and issued for 14 or more.',
    label: 'kind',
    async measure() {
      const soonest = Object.entries(await soonestExpiries(registry));
      return Object.fromEntries(soonest.map(([kind, at]) => [kind, at / 1_000]));
    },
  });
}
