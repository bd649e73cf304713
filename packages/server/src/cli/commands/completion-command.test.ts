import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { jsonOf, runHere } from '@appregistrar/testkit/programs/command-line';
import { Program } from '@appregistrar/testkit/programs/program';
import { tokenKinds, tokenScopes } from '../../kernel/registry.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout, stderr } = await runHere('completion', shell);
    assert.deepEqual([status, stderr], [0, '']);
    await writeFile(join(folder, shell), stdout);
  }
  await writeFile(join(folder, 'registry march.jsonl'), '');
});
after(() => rm(folder, { recursive: true }));

/** The completions that bash offers when Tab is pressed after the last word. */
async function complete(...words: string[]): Promise<string[]> {
  const script = `source ./bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    entry=$(complete -p app-registry)
    [[ $entry =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}" "$1" "\${@: -1}" "\${@: -2:1}"
    if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; fi`;
  const command = ['bash', '--norc', '-uc', script, 'bash', 'app-registry', ...words] as [string, ...string[]];
  const { status, stdout, stderr } = await Program.run(command, { cwd: folder });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('in bash, Tab offers', () => {
  test('the commands that start with the typed letters', async () => {
    assert.deepEqual(await complete('tok'), ['token']);
    assert.deepEqual(await complete('com'), ['completion']);
    assert.deepEqual(await complete('app', 'su'), ['submit']);
  });

  test('every command listed in the help, and the options', async () => {
    const offered = await complete('');
    const { stdout } = await runHere('--help');
    const [, listed = ''] = stdout.split('Commands:\n');
    const commands = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
    assert.ok(commands.length > 10);
    assert.deepEqual(
      offered.toSorted(),
      [...commands.filter((name) => name !== 'help'), ...globals, '--version'].toSorted(),
    );
  });

  test('the options of a command and the global options', async () => {
    const offered = await complete('installation', 'create', '--');
    const own = ['--app', '--workspace', '--user', '--reason', '--actor'];
    assert.deepEqual(offered.toSorted(), [...own, ...globals.filter((option) => option !== '-h')].toSorted());
  });

  test('the choices of an option or an argument', async () => {
    assert.deepEqual(await complete('token', 'create', '--kind', ''), [...tokenKinds]);
    assert.deepEqual(await complete('token', 'create', '--scope', ''), [...tokenScopes]);
    assert.deepEqual(await complete('completion', 'z'), ['zsh']);
  });

  test('nothing for a value without fixed choices', async () => {
    assert.deepEqual(await complete('token', 'create', '--name', ''), []);
    assert.deepEqual(await complete('token', 'create', '--name', 'revoke', '--expires'), ['--expires-in']);
  });

  test('files for a file argument, including names with spaces', async () => {
    assert.deepEqual(await complete('import', 'reg'), ['registry march.jsonl']);
    assert.deepEqual(await complete('import', '--dry'), ['--dry-run']);
  });
});

const globals = ['--json', '--database-url', '--url', '--allow-plaintext', '--help', '-h'];

test('each script contains every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { script } = jsonOf<{ script: string }>(await runHere('completion', shell, '--json'));
    for (const command of ["' serve'", "' app create'", "' token create --kind'"]) assert.ok(script.includes(command));
  }
});

test('an unknown shell is rejected with a list of the known ones', async () => {
  const { status, stderr } = await runHere('completion', 'tcsh');
  assert.equal(status, 2);
  assert.match(stderr, /bash, zsh, fish/);
});
