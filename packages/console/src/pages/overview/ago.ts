const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * The time since `at` in the largest unit that fits: `5 days ago`, or `just now`. A time that is a minute or more ahead,
 * by a clock that was wrong, is shown as such: `in 80 days`.
 */
export function ago(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const [unit, unitMs] = units.find(([, size]) => Math.abs(ms) >= size) ?? [];
  return unit ? format.format(-Math.trunc(ms / unitMs), unit) : 'just now';
}
