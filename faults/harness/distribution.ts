import { percentile } from '@appregistrar/testkit/statistics';

/** The median, the 99th percentile and the maximum of some values, each rounded. */
export function distributionOf(values: readonly number[]): { median: number; p99: number; max: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(percentile(sorted, share));
  return { median: at(0.5), p99: at(0.99), max: at(1) };
}
