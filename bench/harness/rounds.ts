import { median } from '@appregistrar/testkit/statistics';
import type { Bench, Figure } from './case.ts';

export interface Measured {
  of: string;
  measure: () => Promise<number>;
}

/** Measures all in turn, round by round, so that a temporary disturbance of the machine affects all of them. */
export async function inRounds(measured: Measured[], { rounds, unit }: { rounds: number; unit: string }) {
  const results = measured.map(({ of }) => ({ of, values: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { measure }] of measured.entries()) results[at]?.values.push(await measure());
  }
  return results.map(({ of, values }) => figure(of, values, unit));
}

/** Measures the limit of the machine first in each round. */
export async function inRoundsWithLimit(
  bench: Bench,
  { limit, measured, unit }: { limit: string; measured: Measured[]; unit: string },
): Promise<Figure[]> {
  const machine = { of: limit, measure: () => bench.measureLimit() };
  const [first, ...others] = await inRounds([machine, ...measured], { ...bench.pace, unit });
  return first ? withLimit({ ...first, unit: 'requests/s' }, others) : others;
}

export function figure(of: string, values: number[], unit: string): Figure {
  return { of, value: median(values), unit, rounds: values };
}

/** Adds to each figure its ratio to one of them. */
export function relativeTo(figures: Figure[], of: string): Figure[] {
  const { value } = byName(figures, of);
  return figures.map((one) => (one.of === of ? one : { ...one, ratio: { value: one.value / value, of }, limit: of }));
}

/** Puts the limit of the machine first. The other figures of the same rounds refer to it. */
export function withLimit(limit: Figure, figures: Figure[]): Figure[] {
  const isOfItsRounds = ({ rounds }: Figure) => rounds.length === limit.rounds.length;
  return [limit, ...figures.map((one) => (isOfItsRounds(one) ? { ...one, limit: limit.of } : one))];
}

/** The ratio of the medians of two figures. */
export function ratio(figures: Figure[], one: string, other: string): number {
  return byName(figures, one).value / byName(figures, other).value;
}

export function byName(figures: Figure[], of: string): Figure {
  const found = figures.find((candidate) => candidate.of === of);
  if (!found) throw new Error(`no figure of ${of}`);
  return found;
}
