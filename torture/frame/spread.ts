/** The median, the 99th percentile and the greatest of some figures. */
export function spread(values: readonly number[]): { median: number; p99: number; max: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { median: at(0.5), p99: at(0.99), max: at(1) };
}
