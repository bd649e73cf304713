import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { jsonOf, refusalOf, runTyping, type Typing, withVariables } from '@appregistrar/testkit/programs/command-line';
import { ServedOperatorApi } from '../../../test/registry/served-operator-api.ts';
import type { Caller } from '../../features/access/tokens.ts';

describe('login', () => {
  let served: ServedOperatorApi;
  let token: { id: string; token: string };
  let folder: string;
  before(async () => {
    served = await ServedOperatorApi.start();
    token = await served.data.newToken('operator', { name: 'Grace' });
    folder = await mkdtemp(join(tmpdir(), 'login-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await served.stop();
  });

  const file = () => join(folder, 'app-registry', 'tokens.json');
  /** Runs a command with this standard input. */
  const run = (command: string, input: Typing['input'] = null, typing: Partial<Typing> = {}) =>
    withVariables({ XDG_CONFIG_HOME: folder }, () =>
      runTyping({ ...typing, input }, command, '--url', served.url, '--json'),
    );
  const codeOf = async (command: string, input?: string) => refusalOf(await run(command, input)).code;

  test('stores a token from standard input for its owner alone, later commands use it, and logout removes it', async () => {
    const { stdout, ...ended } = await run('login', `${token.token}\n`);
    const result = jsonOf<Caller & { storedIn: string }>({ stdout, ...ended });
    assert.deepEqual([result.actor, result.actorName, result.storedIn], [token.id, 'Grace', file()]);
    assert.ok(!stdout.includes(token.token));
    assert.equal((await stat(file())).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(await readFile(file(), 'utf8')), { [served.url]: token.token });
    assert.equal(jsonOf<Caller>(await run('whoami')).actor, token.id);
    // As an editor saves it.
    await writeFile(file(), `\ufeff${await readFile(file(), 'utf8')}`);
    assert.equal(jsonOf<Caller>(await run('whoami')).actor, token.id);
    assert.deepEqual(jsonOf(await run('logout')), { url: served.url, removed: true });
    assert.deepEqual(jsonOf(await run('logout')), { url: served.url, removed: false });
    assert.match(refusalOf(await run('whoami')).detail, /^No token is stored for/);
  });

  test('does not store a token that the server refuses', async () => {
    assert.equal(await codeOf('login', 'nonsense'), 'token_invalid');
    assert.equal(await codeOf('login', ''), 'token_required');
    assert.equal(await codeOf('whoami'), 'token_required');
  });

  test('on a terminal reads a corrected line without echo, and stores nothing when it is interrupted', async () => {
    const prompt = `Operator token for ${served.url}: `;
    const typed = await run('login', (_shown, stdin) => `${stdin.isRaw ? token.token : ''}x\u007f\r`, { prompt });
    assert.deepEqual([typed.status, typed.stderr], [0, `${prompt}\n`]);
    await run('logout');
    const { status, stderr } = await run('login', `${token.token}\u0003`, { prompt });
    assert.deepEqual([status, JSON.parse(stderr.slice(prompt.length)).code], [1, 'token_required']);
  });

  test('a user without a home folder can use a token, and the refusal to store one says what to set', async (context) => {
    const homedir = context.mock.method(os, 'homedir', () => {
      throw new Error('ENOENT');
    });
    syncBuiltinESMExports();
    const whoami = (given?: string) =>
      withVariables({ XDG_CONFIG_HOME: undefined, APP_REGISTRY_TOKEN: given }, () =>
        runTyping({ input: null }, 'whoami', '--url', served.url, '--json'),
      );
    try {
      assert.equal(jsonOf<Caller>(await whoami(token.token)).actor, token.id);
      const { code, detail } = refusalOf(await whoami());
      assert.equal(code, 'file_unreadable');
      assert.match(detail, /Set XDG_CONFIG_HOME/);
    } finally {
      homedir.mock.restore();
      syncBuiltinESMExports();
    }
  });
});
