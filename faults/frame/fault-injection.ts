import type { Mutant } from './mutant.ts';
import type { Run } from './run.ts';

/** A program that tries to break the promises of the registry: the export `torture` of a file in `torture/`. */
export interface Torture {
  /** One line: what it does to the service. */
  summary: string;
  /** Options of the command line. */
  options: Record<string, TortureOption>;
  /** Throws `BrokenPromise` if a promise is broken, and any other error if it cannot run. */
  run(run: Run): Promise<Figures>;
  /** Defects that it must catch. */
  mutants: Mutant[];
}

interface TortureOption {
  what: string;
  value: number | string;
  /** The value in the short version, which CI runs. */
  short?: number | string;
}

/** The figures of the summary line, by name and in this order. */
export type Figures = Record<string, number | string>;

/** The service has broken a promise. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Throws `BrokenPromise` with this message unless the condition holds. */
export function promise(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new BrokenPromise(typeof message === 'string' ? message : message());
}
