/** The count of a day. The date is in UTC, such as `2026-03-01`. */
export interface CountOfDay {
  date: string;
  count: number;
}

/** A curve in a square of 100 by 100, as SVG paths. */
export interface Curve {
  /** The count at the top of the square: a round, even number. */
  top: number;
  line: string;
  area: string;
}

/** Distances follow the dates, so that missing days leave a gap. */
export function curveOf(counts: readonly CountOfDay[]): Curve {
  const times = counts.map(({ date }) => Date.parse(date));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const top = topOf(Math.max(...counts.map(({ count }) => count)));
  const points = counts.map(({ count }, index) => {
    const x = (((times[index] ?? first) - first) / (last - first || 1)) * 100;
    return `${rounded(x)} ${rounded(100 - (count / top) * 100)}`;
  });
  const line = `M${points.join('L')}`;
  return { top, line, area: `${line}L100 100L0 100Z` };
}

function topOf(max: number): number {
  const step = 2 * 10 ** Math.floor(Math.log10(Math.max(max, 1)));
  return Math.max(Math.ceil(max / step), 1) * step;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
