const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** The time since `at` in the largest unit that fits: `5 days ago`. Also `just now`, for a future time too. */
export function ago(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? [];
  return unit ? format.format(-Math.floor(ms / unitMs), unit) : 'just now';
}
