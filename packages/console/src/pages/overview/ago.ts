const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago a time was, in the largest unit that is whole: `5 days ago`. */
export function ago(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? [];
  return unit ? format.format(-Math.floor(ms / unitMs), unit) : 'just now';
}
