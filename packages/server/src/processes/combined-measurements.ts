import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Measured } from '../http/listener/metrics.ts';
import type { Measurements } from './messages.ts';

/** The text of the measurements of all processes of a command as one, in the format of Prometheus. */
export function textOf(measurements: Measurements[]): Promise<string> {
  return registryOf(measurements).metrics();
}

/**
 * What a process that has ended leaves to the sums: Prometheus would take a sum that falls for a restart, and count
 * everything once more.
 */
export async function lastingOf(measurements: Measurements[]): Promise<Measurements> {
  const lasting = measurements.map((metrics) =>
    metrics.filter(({ type }) => type === 'counter' || type === 'histogram'),
  );
  return (await registryOf(lasting).getMetricsAsJSON()) as unknown as Measurements;
}

function registryOf(measurements: Measurements[]): Registry {
  return AggregatorRegistry.aggregate(measurements.map((metrics) => metrics.map(combinable)));
}

/** A mean would hide the one process that is blocked. */
function combinable(metric: Measured): Measured {
  return metric.name.startsWith('nodejs_eventloop_lag_') ? { ...metric, aggregator: 'max' } : metric;
}
