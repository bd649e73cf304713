const dayMs = 86_400_000;
/** Units, the largest first, and from which distance each is used: `80 days` says more than `2 months`. */
const units = [
  { unit: 'year', ms: 365 * dayMs, fromMs: 730 * dayMs },
  { unit: 'month', ms: 30 * dayMs, fromMs: 90 * dayMs },
  { unit: 'day', ms: dayMs, fromMs: dayMs },
  { unit: 'hour', ms: 3_600_000, fromMs: 3_600_000 },
  { unit: 'minute', ms: 60_000, fromMs: 60_000 },
] as const;
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * The time since `at` in the largest unit that fits: `5 days ago`, or `just now`. A time that is a minute or more ahead is
 * shown as such: `in 80 days`.
 */
export function ago(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const fitting = units.find(({ fromMs }) => Math.abs(ms) >= fromMs);
  return fitting ? format.format(-Math.trunc(ms / fitting.ms), fitting.unit) : 'just now';
}

/** How long ago, as short as it can be: `9 d`, `22 h`, or `now`. */
export function age(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const fitting = units.find(({ unit, fromMs }) => unit !== 'month' && ms >= fromMs);
  return fitting ? `${Math.trunc(ms / fitting.ms)} ${shortUnits[fitting.unit]}` : 'now';
}

const shortUnits = { year: 'y', month: 'mo', day: 'd', hour: 'h', minute: 'min' };

/** The same as `ago`, by the second within the last minute: `12 s ago`. */
export function justAgo(at: string, now: number): string {
  const seconds = Math.trunc((now - Date.parse(at)) / 1_000);
  return seconds >= 1 && seconds < 60 ? `${seconds} s ago` : ago(at, now);
}
