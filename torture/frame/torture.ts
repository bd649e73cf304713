import type { Mutant } from './mutant.ts';
import type { Run } from './run.ts';

/** A program that tries to break what the registry promises. Each is the `torture` of a file of this folder. */
export interface Torture {
  /** One line: what it does to the service. */
  summary: string;
  /** How much of it: each is an option of the command line. */
  options: Record<string, TortureOption>;
  /** Throws `BrokenPromise` when a promise was broken, and anything else when it could not try. */
  run(run: Run): Promise<Figures>;
  /** Defects that it must catch. */
  mutants: Mutant[];
}

interface TortureOption {
  what: string;
  value: number | string;
  /** In the short version, which CI runs. */
  short?: number | string;
}

/** What the summary line tells, by name and in this order. */
export type Figures = Record<string, number | string>;

/** The service did what it promises not to do. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Throws `BrokenPromise` with this message unless the condition holds. */
export function promise(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new BrokenPromise(typeof message === 'string' ? message : message());
}
