import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withResults } from './publish.ts';

const run = { name: 'disk', seed: 7, short: true, given: { rounds: '5' }, at: new Date('2026-11-28T09:00:00Z') };
const section =
  '## disk\n\n`--short --seed 7 --rounds 5`, 2026-11-28:\n\n| Figure | Value |\n|---|---|\n| kills | 3 |\n';

test('a published run replaces the section of its program, and no other', () => {
  const file = (disk: string) => `# Results\n\n## disk-full\n\nOne.\n\n${disk}\n## kill\n\nTwo.\n`;
  assert.equal(withResults(file('## disk\n\nOld.\n'), run, { kills: 3 }), file(section));
});

test('a program without a section gets one at the end, and a later run replaces it', () => {
  const added = withResults('# Results\n\n## kill\n\nTwo.\n', run, { kills: 3 });
  assert.equal(added, `# Results\n\n## kill\n\nTwo.\n\n${section}`);
  assert.equal(withResults(added, run, { kills: 3 }), added);
});
