import type { Figure } from './case.ts';

export interface Measured {
  of: string;
  measure: () => Promise<number>;
}

/** Measures each in turn, and all of them again: what disturbs the machine for a while then disturbs them all. */
export async function inRounds(measured: Measured[], { rounds, unit }: { rounds: number; unit: string }) {
  const taken = measured.map(({ of }) => ({ of, values: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { measure }] of measured.entries()) taken[at]?.values.push(await measure());
  }
  return taken.map(({ of, values }) => figure(of, values, unit));
}

export function figure(of: string, values: number[], unit: string): Figure {
  return { of, value: median(values), unit, rounds: values };
}

/** Adds to each figure what it is of one of them. */
export function against(figures: Figure[], of: string): Figure[] {
  const { value } = byName(figures, of);
  return figures.map((one) => (one.of === of ? one : { ...one, ratio: { value: one.value / value, of } }));
}

/** The quotient of the medians of two figures. */
export function ratio(figures: Figure[], one: string, other: string): number {
  return byName(figures, one).value / byName(figures, other).value;
}

export function byName(figures: Figure[], of: string): Figure {
  const found = figures.find((candidate) => candidate.of === of);
  if (!found) throw new Error(`there is no figure of ${of}`);
  return found;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('there is no median of nothing');
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}
