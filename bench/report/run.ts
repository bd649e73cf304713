import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Outcome, Pace } from '../frame/case.ts';
import type { Machine } from '../frame/machine.ts';

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

const folder = new URL('../results/', import.meta.url);

/** Writes a run, and returns the path of its file. */
export async function writeRun(run: Run, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = new URL(`${name}.json`, folder);
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`);
  return fileURLToPath(file);
}

export async function readRun(file: string): Promise<Run> {
  return JSON.parse(await readFile(file, 'utf8'));
}
