import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Measured } from '../http/listener/metrics.ts';
import type { Measurements } from './messages.ts';

/** The text of the measurements of all processes of a command as one, in the format of Prometheus. */
export function textOf(measurements: Measurements[]): Promise<string> {
  return registryOf(measurements).metrics();
}

/**
 * The measurements of an ended process that stay in the sums. Without them a sum would fall, which Prometheus takes for
 * a restart, and everything would be counted twice.
 */
export function onlyLasting(metrics: Measurements): Measurements {
  return metrics.filter(({ type }) => type === 'counter' || type === 'histogram');
}

/** Whether the supervisor responds; without it, the measurements are those of one process. */
export function supervisorUp(isUp: boolean): Measured {
  return {
    name: 'process_supervisor_up',
    help: '1 when these metrics cover all processes of the command; 0 when its supervisor does not respond and they cover one process.',
    type: 'gauge',
    aggregator: 'first',
    values: [{ value: Number(isUp), labels: {} }],
  };
}

/** The measurements of several processes as those of one. */
export async function sumOf(measurements: Measurements[]): Promise<Measurements> {
  return (await registryOf(measurements).getMetricsAsJSON()) as unknown as Measurements;
}

function registryOf(measurements: Measurements[]): Registry {
  return AggregatorRegistry.aggregate(measurements.map((metrics) => metrics.map(combinable)));
}

/** A mean would hide the one process that is blocked. */
function combinable(metric: Measured): Measured {
  return metric.name.startsWith('nodejs_eventloop_lag_') ? { ...metric, aggregator: 'max' } : metric;
}
