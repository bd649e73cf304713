import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runOnTerminal } from '@appregistrar/testkit/programs/terminal';
import { ServedOperatorApi } from '@appregistrar/testkit/registry/served-operator-api';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

let served: ServedOperatorApi;
let token: { id: string; token: string };
let folder: string;
let env: Record<string, string>;
before(async () => {
  served = await ServedOperatorApi.start();
  token = await served.data.newToken('operator', { name: 'Grace' });
  folder = await mkdtemp(join(tmpdir(), 'login-'));
  env = { XDG_CONFIG_HOME: folder, PATH: process.env.PATH ?? '' };
});
after(async () => {
  await rm(folder, { recursive: true });
  await served.stop();
});

const file = () => join(folder, 'app-registry', 'tokens.json');

/** Runs a command with this standard input. */
async function run(args: string[], input = ''): Promise<{ stdout: string; stderr: string }> {
  const running = promisify(execFile)(process.execPath, [main, ...args, '--url', served.url], { env });
  running.child.stdin?.end(input);
  return running;
}

test('login stores a token from standard input for its owner alone, later commands use it, and logout removes it', async () => {
  const { stdout } = await run(['login', '--json'], `${token.token}\n`);
  const result = JSON.parse(stdout);
  assert.deepEqual([result.actor, result.actorName, result.storedIn], [token.id, 'Grace', file()]);
  assert.ok(!stdout.includes(token.token));
  assert.equal((await stat(file())).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(file(), 'utf8')), { [served.url]: token.token });
  assert.equal(JSON.parse((await run(['whoami', '--json'])).stdout).actor, token.id);
  assert.equal(JSON.parse((await run(['logout', '--json'])).stdout).removed, true);
  assert.equal(JSON.parse((await run(['logout', '--json'])).stdout).removed, false);
  await assert.rejects(run(['whoami']), /No token is stored for/);
});

test('a token that the server refuses is not stored', async () => {
  for (const input of ['nonsense', ''])
    await assert.rejects(run(['login', '--json'], input), /token_(invalid|required)/);
  await assert.rejects(run(['whoami']), /No token is stored for/);
});

test('on a terminal a prompt reads the token, which is not shown', async () => {
  const { status, screen } = await runOnTerminal([process.execPath, main, 'login', '--url', served.url], {
    env,
    prompt: `Operator token for ${served.url}: `,
    input: () => `${token.token}\r`,
  });
  assert.equal(status, 0, screen);
  assert.ok(!screen.includes(token.token), screen);
  assert.match(screen, /actorName +Grace/);
  await run(['logout']);
});

test('a user without a home folder can use a token, and the refusal to store one says what to set', async () => {
  const withoutHome =
    'data:text/javascript,import os from "node:os";import { syncBuiltinESMExports } from "node:module";' +
    'os.homedir=()=>{throw new Error("ENOENT")};syncBuiltinESMExports();';
  const whoami = (given: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['--import', withoutHome, main, 'whoami', '--url', served.url, '--json'], {
      env: { PATH: process.env.PATH, ...given },
    });
  assert.equal(JSON.parse((await whoami({ APP_REGISTRY_TOKEN: token.token })).stdout).actor, token.id);
  await assert.rejects(whoami({}), ({ stderr }: { stderr: string }) => {
    const { code, detail } = JSON.parse(stderr);
    return code === 'file_unreadable' && /Set XDG_CONFIG_HOME/.test(detail);
  });
});
