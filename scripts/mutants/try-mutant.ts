import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { chooseTests } from './choose-tests.ts';
import type { FileCoverage } from './coverage.ts';
import { type Mutation, mutate } from './mutations.ts';
import { runTests } from './test-run.ts';

export interface TryOptions {
  coverage: readonly FileCoverage[];
  signal: AbortSignal;
}

/** How a mutant ended, and for a killed one what killed it, such as `by create-app.test.ts`. */
export type Trial = { result: 'alive' | 'not loaded' | 'aborted' } | { result: 'killed'; how: string };

/** Applies a mutation to a working copy, runs the tests that should notice, and takes the mutation back. */
export async function tryMutant(copy: string, mutation: Mutation, options: TryOptions): Promise<Trial> {
  const path = join(copy, 'packages/server/src', mutation.place.file);
  const text = readFileSync(path, 'utf8');
  const mutated = mutate(text, mutation);
  if (parseSync(path, mutated).errors.length > 0) return { result: 'not loaded' };
  writeFileSync(path, mutated);
  try {
    for (const tests of chooseTests(mutation, options.coverage)) {
      const trial = await runBatch(copy, tests, options);
      if (trial.result !== 'alive') return trial;
    }
    return { result: 'alive' };
  } finally {
    writeFileSync(path, text);
  }
}

/** A failed test file has to fail again by itself. If it does not, the others run without it. */
async function runBatch(copy: string, tests: readonly string[], options: TryOptions): Promise<Trial> {
  const { coverage, signal } = options;
  const seconds = coverage.filter(({ test }) => tests.includes(test)).reduce((sum, file) => sum + file.seconds, 0);
  const timeoutMs = 60_000 + Math.ceil(4000 * seconds);
  const { outcome, file } = await runTests(copy, tests, { timeoutMs, signal });
  if (outcome === 'passed') return { result: 'alive' };
  if (outcome === 'timed out') return { result: 'killed', how: 'timed out' };
  if (outcome !== 'failed') return { result: outcome };
  const again = await runTests(copy, file === undefined ? tests : [file], { timeoutMs, signal });
  if (again.outcome === 'aborted') return { result: 'aborted' };
  if (again.outcome !== 'passed') return { result: 'killed', how: `by ${basename(file ?? 'the end of the process')}` };
  const others = file === undefined ? [] : tests.filter((test) => test !== file);
  return others.length > 0 ? runBatch(copy, others, options) : { result: 'alive' };
}
