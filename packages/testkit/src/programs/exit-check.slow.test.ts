import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Program } from './program.ts';

const exitCheck = import.meta.resolve('./exit-check.ts');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exit-check-'));
});
after(() => rm(folder, { recursive: true }));

for (const isolation of ['process', 'none']) {
  test(`with isolation ${isolation}, a process that its tests keep running fails, and says why`, async () => {
    const source = `test('passes', () => {}); setInterval(() => {}, 1_000);`;
    const { status, stdout, stderr } = await run({ source, isolation, exitMsMax: '200' });
    assert.equal(status, 1);
    assert.match(stdout, /^ok 1 - passes$/m);
    assert.match(stdout + stderr, /still running 200 ms after the last test: .*Timeout/);
  });
}

test('a process whose test leaves a function replaced fails, and names it', async () => {
  const source = `test('passes', () => { Math.random = () => 1; });`;
  const { status, stdout, stderr } = await run({ source, isolation: 'none', exitMsMax: '60000' });
  assert.equal(status, 1);
  assert.match(stdout + stderr, /a test has left random replaced/);
});

test('every test is reported, and a failure of the last one', async () => {
  const source = `for (let at = 0; at < 3_000; at += 1) test('one', () => {}); test('last', () => { throw new Error(); });`;
  const { status, stdout } = await run({ source, isolation: 'process', exitMsMax: '60000' });
  assert.equal(status, 1);
  assert.deepEqual(stdout.match(/^(# tests .*|not ok .*)$/gm), ['not ok 3001 - last', '# tests 3001']);
});

/** Runs a file of tests. */
async function run({ source, isolation, exitMsMax }: { source: string; isolation: string; exitMsMax: string }) {
  const file = join(folder, 'one.test.mjs');
  await writeFile(file, `import { test } from 'node:test';\n${source}\n`);
  const options = [`--import=${exitCheck}`, '--test', `--test-isolation=${isolation}`, '--test-reporter=tap'];
  return Program.run([process.execPath, ...options, file], { env: { TEST_EXIT_MS_MAX: exitMsMax } });
}
