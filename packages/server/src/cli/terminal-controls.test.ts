import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import type { OperatorApp } from '../features/apps/app-schemas.ts';
import { escapeControls } from '../kernel/text.ts';

/** Sets the title of a terminal, a colour in two ways, and shows what follows backwards. */
const hostile = '\u001b]0;x\u0007\u001b[31m\u009b31m\u007f\u202e\u2066';
const visible = String.raw`\u001b]0;x\u0007\u001b[31m\u009b31m\u007f\u202e\u2066`;
const loneSurrogate = '\ud800';
const ownLine = 'app-registry: everything is fine';
const controls = /[^\P{Cc}\n\t]|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u;

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  let app: OperatorApp;
  before(async () => {
    cli = await CommandLine.open(engine);
    folder = await mkdtemp(join(tmpdir(), 'controls-'));
    const { id: userId } = await cli.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
    app = await cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', 'Name');
    // The rules for texts refuse it, so it is stored directly.
    await withRegistry(cli.databaseUrl, ({ storage }) =>
      storage.write((transaction) =>
        transaction.run(
          transaction.builder
            .updateTable('apps')
            .set({ name: `Name${hostile}` })
            .compile(),
        ),
      ),
    );
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  const text = `x${hostile}\n${ownLine}`;
  const fileOf = async (content: string) => {
    const file = join(folder, 'lines.jsonl');
    await writeFile(file, content);
    return file;
  };
  const inputs: [what: string, args: () => Promise<string[]>][] = [
    ['an unknown option', async () => [`--${text}${loneSurrogate}`]],
    ['an unknown option of a command', async () => ['app', 'list', `--${text}`]],
    ['an unknown command', async () => [text]],
    ['an unknown command below another', async () => ['app', text]],
    ['the value of an option', async () => ['app', 'list', '--limit', text]],
    ['an argument with choices', async () => ['completion', text]],
    ['a file to read', async () => ['logo', 'create', join(folder, text), '--developer', 'x']],
    ['a file to import', async () => ['import', join(folder, text)]],
    ['a file to create', async () => ['export', join(folder, text, 'x')]],
    [
      'a field name of an import',
      async () => ['import', await fileOf(JSON.stringify({ type: 'developer', [text]: 1 }))],
    ],
    ['a stored name', async () => ['app', 'get', app.id]],
    ['a list of stored names', async () => ['app', 'list']],
    ['an export', async () => ['export']],
  ];

  for (const [what, args] of inputs) {
    test(`${what} reaches neither the terminal nor a line of its own as it is`, async () => {
      for (const json of [[], ['--json']]) {
        const { stdout, stderr } = await cli.run(...(await args()), ...json);
        assert.doesNotMatch(stdout + stderr, controls);
        assert.ok((stdout + stderr).includes(visible), `it is shown escaped: ${stdout}${stderr}`);
        assert.ok(!(stdout + stderr).split('\n').some((line) => line.startsWith(ownLine)));
      }
    });
  }

  const others: [what: string, args: () => Promise<string[]>][] = [
    ['an id', async () => ['app', 'get', text]],
    ['a developer', async () => ['app', 'create', '--developer', text, '--name', text]],
    ['a value of an import', async () => ['import', await fileOf(JSON.stringify({ type: text, [text]: text }))]],
    ['a line of an import', async () => ['import', await fileOf(text)]],
    ['a database URL', async () => ['app', 'list', '--database-url', text]],
  ];
  for (const [what, args] of others) {
    test(`${what} is not repeated as it is`, async () => {
      const { stdout, stderr } = await cli.run(...(await args()));
      assert.doesNotMatch(stdout + stderr, controls);
      assert.ok(!(stdout + stderr).split('\n').some((line) => line.startsWith(ownLine)));
    });
  }

  test('the JSON of a stored name has its value', async () => {
    const { stdout } = await cli.run('app', 'get', app.id, '--json');
    assert.equal(JSON.parse(stdout).name, `Name${hostile}`);
  });
});

describe('escaping', () => {
  test('keeps the value of any JSON document', () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constantFrom(...hostile, '\n', '\t', '\u2028'), anyText()),
    });
    fc.assert(
      fc.property(texts, (value) => {
        const escaped = escapeControls(JSON.stringify({ [value]: value }));
        assert.doesNotMatch(escaped, controls);
        assert.deepEqual(JSON.parse(escaped), { [value]: value });
      }),
    );
  });

  test('covers each line of the log', () => {
    const log = new CapturedLog();
    log.logger.error({ err: new Error(hostile), name: hostile }, hostile);
    assert.doesNotMatch(log.text, controls);
    assert.ok(log.text.includes(visible.slice(visible.indexOf('\\u009b'))), log.text);
  });
});
