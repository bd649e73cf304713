import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Outcome, Pace } from '../harness/case.ts';
import type { Machine } from '../harness/machine.ts';

/** The stored results of one run of the benchmark. */
export interface Run {
  at: string;
  machine: Machine;
  pace: Pace;
  results: CaseResult[];
}

export interface CaseResult extends Outcome {
  name: string;
  title: string;
  about: string;
  seconds: number;
}

/** An error that the user can correct: its message suffices. */
export class UsageError extends Error {}

const folder = new URL('../results/', import.meta.url);

/** Writes a run, and returns the path of its file. */
export async function writeRun(run: Run, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = new URL(`${name}.json`, folder);
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`);
  return fileURLToPath(file);
}

/** Throws if the file is not a run. */
export async function readRun(file: string): Promise<Run> {
  const text = await readFile(file, 'utf8').catch(({ code }) => {
    throw new UsageError(`${file} cannot be read (${code}). Name a file of bench/results.`);
  });
  const run = parsed(text);
  if (isRun(run)) return run;
  throw new UsageError(`${file} is not a run of the benchmark. Name a file of bench/results.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRun(value: unknown): value is Run {
  const { at, machine, pace, results } = (value ?? {}) as Partial<Run>;
  const isCase = ({ name, figures }: Partial<CaseResult>) => typeof name === 'string' && Array.isArray(figures);
  return typeof at === 'string' && Boolean(machine && pace) && Array.isArray(results) && results.every(isCase);
}
