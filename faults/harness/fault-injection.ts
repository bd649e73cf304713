import type { Defect } from './defect.ts';
import type { Run } from './run.ts';

/** A program that tries to break the guarantees of the registry: the export `faultInjection` of a file in `faults/`. */
export interface FaultInjection {
  /** One line: what it does to the service. */
  summary: string;
  /** Options of the command line. */
  options: Record<string, FaultInjectionOption>;
  /** Throws `BrokenGuarantee` if a guarantee is broken, and any other error if it cannot run. */
  run(run: Run): Promise<Figures>;
  /** Defects that it must catch. */
  defects: Defect[];
}

interface FaultInjectionOption {
  what: string;
  value: number | string;
  /** The value in the short version, which CI runs. */
  short?: number | string;
}

/** The figures of the summary line, by name and in this order. */
export type Figures = Record<string, number | string>;

/** The service has broken a guarantee. */
export class BrokenGuarantee extends Error {
  override readonly name = 'BrokenGuarantee';
}

/** Throws `BrokenGuarantee` with this message unless the condition holds. */
export function guarantee(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new BrokenGuarantee(typeof message === 'string' ? message : message());
}
