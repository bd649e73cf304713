import { dirname, relative } from 'node:path';
import type { FileCoverage } from './coverage.ts';
import type { Mutation } from './mutations.ts';

/** At most so much time for the tests that call a function, and for those of its folder. */
const secondsMax = 600;

/**
 * The test files for a mutation, in batches in the order to run them: those beside its file, the others that call its
 * function or load its module, and all others of its feature folder, such as `registry/review`. The nearest come first.
 */
export function chooseTests({ place: { file }, functionEnd }: Mutation, coverage: readonly FileCoverage[]): string[][] {
  const stem = file.replace(/ts$/, '');
  const distance = ({ test, seconds }: FileCoverage) =>
    test.startsWith(stem) ? 0 : 1000 * relative(dirname(file), test).split('/').length + seconds;
  const tests = coverage.filter(({ passed }) => passed).toSorted((a, b) => distance(a) - distance(b));
  const calling = withinSeconds(
    tests.filter(
      ({ functionEnds: { [file]: ends } }) => ends && (functionEnd === undefined || ends.includes(functionEnd)),
    ),
  );
  const [beside, others] = [true, false].map((isBeside) =>
    calling.filter((test) => test.startsWith(stem) === isBeside),
  );
  const ofFolder = tests.filter(({ test }) => isOfFeature(test, file) && !calling.includes(test));
  return [beside ?? [], others ?? [], withinSeconds(ofFolder)].filter((batch) => batch.length > 0);
}

function withinSeconds(files: readonly FileCoverage[]): string[] {
  let total = 0;
  return files.flatMap(({ test, seconds }, index) => {
    if (index > 0 && total + seconds > secondsMax) return [];
    total += seconds;
    return [test];
  });
}

function isOfFeature(test: string, file: string): boolean {
  const folder = dirname(file).split('/').slice(0, 2).join('/');
  return folder.includes('/') ? test.startsWith(`${folder}/`) : dirname(test) === folder;
}
