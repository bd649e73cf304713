import { median } from 'app-registry-testkit/statistics';
import type { Figure } from './case.ts';

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

export function figure(of: string, values: number[], unit: string): Figure {
  return { of, value: median(values), unit, rounds: values };
}

/** Adds to each figure its ratio to one of them. */
export function relativeTo(figures: Figure[], of: string): Figure[] {
  const { value } = byName(figures, of);
  return figures.map((one) => (one.of === of ? one : { ...one, ratio: { value: one.value / value, of } }));
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
