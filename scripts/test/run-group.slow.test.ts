import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { Results } from './results.ts';
import { filesOf, runGroup } from './run-group.ts';

const passing = `import { test } from 'node:test'; test('passes', () => {});`;

for (const filesPerProcess of [1, 2, undefined]) {
  const how = filesPerProcess === undefined ? 'each in its own process' : `${filesPerProcess} in a shared process`;

  test(`files whose tests pass ${how} pass`, async () => {
    assert.equal(await run({ 'one.test.ts': passing, 'two.test.ts': passing }, filesPerProcess), true);
  });

  for (const [what, text] of Object.entries({
    'fails a test': `import { test } from 'node:test'; test('fails', () => { throw new Error('no'); });`,
    'cannot be loaded': `import './nothing.ts';`,
    'ends its process before its last test': `import { test } from 'node:test'; test('ends', () => process.exit(0)); ${passing.slice(passing.indexOf("test('"))}`,
  })) {
    test(`a file that ${what}, ${how}, fails the group`, async () => {
      assert.equal(await run({ 'one.test.ts': passing, 'two.test.ts': text }, filesPerProcess), false);
    });
  }
}

test('a group has the files of its tier only, sorted', () => {
  const folder = folderWith({
    'b.test.ts': '',
    'a.test.ts': '',
    'c.slow.test.ts': '',
    'd.system.test.ts': '',
    'e.ts': '',
  });
  const names = (glob: string) => filesOf({ files: [join(folder, glob)] }).map((file) => file.slice(folder.length + 1));
  assert.deepEqual(names('*.test.ts'), ['a.test.ts', 'b.test.ts']);
  assert.deepEqual(names('*.slow.test.ts'), ['c.slow.test.ts']);
});

function run(files: Record<string, string>, filesPerProcess: number | undefined): Promise<boolean> {
  const shared = filesPerProcess === undefined ? {} : { filesPerProcess };
  const group = { files: [join(folderWith(files), '*.test.ts')], ...shared, processes: 2, testMsMax: 60_000 };
  return runGroup(group, { paths: [], results: new Results('of a test', () => {}) });
}

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder('tests-');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
