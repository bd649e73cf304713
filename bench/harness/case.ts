import { type Databases, type EngineName, engines } from './databases.ts';
import type { Cores } from './machine.ts';

/** One part of the benchmark, with its targets. */
export interface Case {
  name: string;
  title: string;
  /** What it measures, in a few sentences. */
  about: string;
  run(bench: Bench): Promise<Outcome>;
}

/** The environment of every case. */
export interface Bench {
  pace: Pace;
  cores: Cores | null;
  databases: Databases;
  /** What bare `node:http` serves at this moment, for cases without a limit of their own. In requests per second. */
  measureLimit: () => Promise<number>;
  /** A folder on a disk, for this run only. */
  folder: string;
  log: (text: string) => void;
}

export interface Pace {
  isQuick: boolean;
  rounds: number;
  /** The duration of one measurement. */
  seconds: number;
  warmUpSeconds: number;
  connections: number;
}

export interface Outcome {
  figures: Figure[];
  targets: Target[];
  headlines?: HeadlineRow[];
}

/** The columns of the table that docs/performance.md begins with: the limits and the peers of each engine before the registry. */
export const headlineColumns = [
  'bare node:http',
  'bare node:http and node:sqlite',
  'hand-written, SQLite',
  'app-registry, SQLite',
  'pgbench',
  'hand-written, PostgreSQL',
  'app-registry, PostgreSQL',
] as const;

/** A row of that table: the names of the figures in its columns. */
export interface HeadlineRow {
  name: string;
  cells: Partial<Record<(typeof headlineColumns)[number], string>>;
}

/** The median of its rounds. */
export interface Figure {
  of: string;
  value: number;
  unit: string;
  rounds: number[];
  /** The value relative to another figure of the case, such as the limit. */
  ratio?: { value: number; of: string };
  /** The figure of the case that is the limit of the machine, measured in the same rounds. */
  limit?: string;
}

export interface Target {
  text: string;
  /** A short text, for the targets beside that table: a row for each text, a column for each engine. */
  headline?: string;
  engine?: EngineName;
  value: number;
  unit: string;
  /** Has exactly one bound. */
  atLeast?: number;
  atMost?: number;
}

/** Runs a case on each engine in turn. */
export function onEachEngine(runOn: (bench: Bench, engine: EngineName) => Promise<Outcome>): Case['run'] {
  return async (bench) => {
    const outcomes: Outcome[] = [];
    for (const engine of engines) outcomes.push(await runOn(bench, engine));
    return {
      figures: outcomes.flatMap(({ figures }) => figures),
      targets: outcomes.flatMap(({ targets }) => targets),
      headlines: outcomes.flatMap(({ headlines = [] }) => headlines),
    };
  };
}

export function isMet({ value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Target) {
  return value >= atLeast && value <= atMost;
}
