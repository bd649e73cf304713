import { type Databases, type EngineName, engines } from './databases.ts';
import type { Cores } from './machine.ts';

/** One question of the benchmark, with what it must come to. */
export interface Case {
  name: string;
  title: string;
  /** What is asked, of what, in a few sentences. */
  about: string;
  run(bench: Bench): Promise<Outcome>;
}

/** What every case measures with. */
export interface Bench {
  pace: Pace;
  cores: Cores | null;
  databases: Databases;
  /** A folder on the disk, for this run alone. */
  folder: string;
  say: (text: string) => void;
}

export interface Pace {
  isQuick: boolean;
  rounds: number;
  /** Of one measurement. */
  seconds: number;
  warmUpSeconds: number;
  connections: number;
}

export interface Outcome {
  figures: Figure[];
  targets: Target[];
}

/** The median of some rounds. */
export interface Figure {
  of: string;
  value: number;
  unit: string;
  rounds: number[];
  /** What the value is of another figure of the case, such as the limit. */
  ratio?: { value: number; of: string };
}

export interface Target {
  text: string;
  value: number;
  unit: string;
  /** Exactly one of these. */
  atLeast?: number;
  atMost?: number;
}

/** A case that asks the same of the registry on each engine, one after the other. */
export function onEachEngine(runOn: (bench: Bench, engine: EngineName) => Promise<Outcome>): Case['run'] {
  return async (bench) => {
    const outcomes: Outcome[] = [];
    for (const engine of engines) outcomes.push(await runOn(bench, engine));
    return { figures: outcomes.flatMap(({ figures }) => figures), targets: outcomes.flatMap(({ targets }) => targets) };
  };
}

export function isMet({ value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Target) {
  return value >= atLeast && value <= atMost;
}
