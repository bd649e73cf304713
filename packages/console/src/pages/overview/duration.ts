const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** A duration in the largest unit of which there are two or more: `3 d`, `36 h`, `5 min`. */
export function durationText(ms: number): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= 2 * size) ?? ['min', 60_000];
  const count = ms / unitMs;
  return `${count < 10 ? Math.round(count * 10) / 10 : Math.round(count)} ${unit}`;
}
