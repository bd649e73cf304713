/**
 * Mutation testing of the server: npm run mutants -- --sample 40 [--seed N] [--minutes 60] [--file GLOB], or -- --again
 *
 * Changes the rules, queries and HTTP of the current commit in small ways, one at a time in a copy of the repository, and
 * runs the tests that should notice. A failing test kills the mutant; one that stays alive shows a missing test, or a change
 * without an effect. Each run tries mutants without a result, and adds theirs to `packages/server/mutants`. There, write the
 * reason of a survivor into `results.json`. `--again` tries only the survivors, after tests were added. `--file` limits the
 * files, by a pattern of the path below `packages/server/src`.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectCoverage } from './mutants/coverage.ts';
import { findMutations, type Mutation } from './mutants/mutations.ts';
import { Results } from './mutants/results.ts';
import { spreadSample } from './mutants/sample.ts';
import { withTestServer } from './mutants/test-run.ts';
import { type TryOptions, tryMutant } from './mutants/try-mutant.ts';
import { onCopies, withWorkingCopies } from './mutants/working-copies.ts';
import { SeededRandom } from './seeded-random.ts';

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    file: { type: 'string', default: '**' },
    again: { type: 'boolean', default: false },
  },
});
const repository = fileURLToPath(new URL('..', import.meta.url));
const folders = ['kernel', 'features', 'storage', 'http', 'cli', 'config'];
/** Tests, code that only tests use, and the migrations: the databases of the tests are copies of a migrated one. */
const excluded = ['**/*.test.ts', '**/testing/**', '**/corpora/**', 'storage/migrations/**', 'cli/dev/**'];
const workers = 2;

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupted.abort());
const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(Number(options.minutes) * 60_000)]);

await withTestServer(() => withWorkingCopies(repository, workers, run));

async function run(copies: string[]): Promise<void> {
  const coverage = await collectCoverage(copies, signal);
  const candidates = findCandidates(copies[0] ?? '');
  const results = new Results(join(repository, 'packages/server/mutants'), candidates);
  const sample = takeSample(candidates, results);
  await tryMutants(copies, { sample, results, coverage, signal });
  // Also with the reasons that were written since the last run.
  results.save();
  console.log(`${signal.aborted ? 'Stopped early. ' : ''}All runs: ${results.summary()}.`);
}

function findCandidates(copy: string): Mutation[] {
  const source = join(copy, 'packages/server/src');
  const files = globSync(`{${folders.join(',')}}/**/*.ts`, { cwd: source, exclude: excluded });
  return files.toSorted().flatMap((file) => findMutations(file, readFileSync(join(source, file), 'utf8')));
}

function takeSample(candidates: readonly Mutation[], results: Results): Mutation[] {
  const eligible = candidates
    .filter(({ place }) => matchesGlob(place.file, options.file))
    .filter((mutation) => (options.again ? results.isAlive(mutation) : !results.isTried(mutation)));
  return spreadSample(eligible, new SeededRandom(Number(options.seed), 'mutants'));
}

/** Tries mutants until enough have a result. */
async function tryMutants(
  copies: readonly string[],
  { sample, results, ...tryOptions }: TryOptions & { sample: Mutation[]; results: Results },
): Promise<void> {
  const wanted = options.again ? sample.length : Math.min(Number(options.sample), sample.length);
  let notLoaded = 0;
  let done = 0;
  function* items() {
    for (let begun = 0; begun < Math.min(wanted + notLoaded, sample.length); begun += 1)
      yield sample[begun] as Mutation;
  }
  await onCopies(copies, { items: items(), signal }, async (copy, mutation) => {
    const startedAt = performance.now();
    const trial = await tryMutant(copy, mutation, tryOptions);
    if (trial.result === 'aborted') return;
    if (trial.result === 'not loaded') notLoaded += 1;
    else {
      done += 1;
      results.add(mutation, trial.result === 'alive');
    }
    const place = `${basename(mutation.place.file)}:${mutation.line} ${mutation.place.kind}`;
    const how = trial.result === 'killed' ? ` ${trial.how}` : '';
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${done}/${wanted} ${trial.result} ${place}${how} ${seconds} s`);
  });
}
