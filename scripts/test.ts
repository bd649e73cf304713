/**
 * `node scripts/test.ts GROUP... [--times] [PATH...]`: runs groups of tests one after another, and prints failures as they
 * come. `npm test` runs the group `quick`, `npm run test:all` the others. A PATH runs only files whose path contains it;
 * `--times` prints the time of each file, slowest first.
 */
import { parseArgs } from 'node:util';
import { groups } from './test/groups.ts';
import { Results } from './test/results.ts';
import { runGroup } from './test/run-group.ts';

const { values, positionals } = parseArgs({ options: { times: { type: 'boolean' } }, allowPositionals: true });
const names = positionals.filter((one) => Object.hasOwn(groups, one));
const paths = positionals.filter((one) => !names.includes(one));
if (names.length === 0)
  throw new Error(`usage: test.ts GROUP... [--times] [PATH...], with ${Object.keys(groups).join(', ')}`);

let files = 0;
for (const name of names) {
  const results = new Results(name);
  const isPassed = await runGroup(groups[name] as (typeof groups)[string], { paths, results });
  results.print({ times: values.times ?? false });
  files += results.files;
  if (!isPassed) process.exitCode = 1;
}
if (files === 0) {
  console.error(`no test file of ${names.join(', ')} has a path with ${paths.join(' or ')}`);
  process.exitCode = 1;
}
