import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../release/execute.ts';
import { runTests, testFiles } from './test-run.ts';
import { onCopies } from './working-copies.ts';

/** How one test file runs on unchanged code. */
export interface FileCoverage {
  test: string;
  passed: boolean;
  seconds: number;
  /** By file below `packages/server/src`, the offsets where the functions end that it calls. */
  functionEnds: Record<string, number[]>;
}

/** Measures what each test file calls, once per commit: it takes some minutes, and continues where it was stopped. */
export async function collectCoverage(copies: readonly string[], signal: AbortSignal): Promise<FileCoverage[]> {
  const [first = ''] = copies;
  const folder = cacheFolder(first);
  const cacheFile = (test: string) => join(folder, `${test.replaceAll('/', '+')}.json`);
  const tests = testFiles(first);
  const missing = tests.filter((test) => !existsSync(cacheFile(test)));
  let done = 0;
  await onCopies(copies, { items: missing, signal }, async (copy, test) => {
    const coverage = await measure(copy, test, signal);
    if (signal.aborted) return;
    writeFileSync(cacheFile(test), JSON.stringify(coverage));
    done += 1;
    const result = coverage.passed ? '' : ' does not pass, so it is left out';
    console.log(`coverage ${done}/${missing.length} ${test}${result} ${coverage.seconds.toFixed(1)} s`);
  });
  if (signal.aborted) return [];
  return tests.map((test): FileCoverage => JSON.parse(readFileSync(cacheFile(test), 'utf8')));
}

async function measure(copy: string, test: string, signal: AbortSignal): Promise<FileCoverage> {
  const coverageFolder = mkdtempSync(join(tmpdir(), 'coverage-'));
  const { outcome, seconds } = await runTests(copy, [test], { timeoutMs: 120_000, signal, coverageFolder });
  const functionEnds = readCoverage(coverageFolder, copy);
  rmSync(coverageFolder, { recursive: true });
  return { test, passed: outcome === 'passed', seconds, functionEnds };
}

/** A script in what V8 writes. */
interface ScriptCoverage {
  url: string;
  functions: { ranges: [{ endOffset: number; count: number }] }[];
}

function readCoverage(folder: string, copy: string): Record<string, number[]> {
  const source = `file://${join(copy, 'packages/server/src/')}`;
  const scripts = readdirSync(folder).flatMap((name): ScriptCoverage[] => {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')).result;
  });
  const ends: Record<string, Set<number>> = {};
  for (const { url, functions } of scripts) {
    if (!url.startsWith(source) || url.includes('.test.ts')) continue;
    const called = functions.flatMap(({ ranges: [range] }) => (range.count > 0 ? [range.endOffset] : []));
    const file = url.slice(source.length);
    ends[file] = new Set([...(ends[file] ?? []), ...called]);
  }
  return Object.fromEntries(Object.entries(ends).map(([file, offsets]) => [file, [...offsets]]));
}

/** The folder of the code that tests of the server run. Those of other commits are removed. */
function cacheFolder(repository: string): string {
  const trees = ['packages/server/src', 'packages/client/src', 'packages/testkit/src'];
  const ids = git(repository, 'rev-parse', ...trees.map((tree) => `HEAD:${tree}`));
  const all = join(repository, 'node_modules/.cache/mutants');
  const key = createHash('sha256').update(ids).digest('hex').slice(0, 12);
  mkdirSync(join(all, key), { recursive: true });
  for (const name of readdirSync(all)) if (name !== key) rmSync(join(all, name), { recursive: true });
  return join(all, key);
}
