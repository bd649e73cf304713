import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Program } from '@appregistrar/testkit/programs/program';
import { ServedRegistry } from '../testing/served-registry.ts';
import { runCommand } from './command.ts';
import { curlOf } from './curl.ts';
import { DeviatingServer } from './testing/deviating-server.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

let registry: ServedRegistry;
let server: DeviatingServer;
let target: string[];
let tokens: Record<string, string>;
before(async () => {
  registry = await ServedRegistry.start({ RATE_LIMIT_UPDATES_PER_MINUTE: '0' });
  server = await DeviatingServer.start(registry.port);
  target = ['--base-url', server.baseUrl, '--app', (await registry.data.newApp()).id];
  tokens = { DEVELOPER_TOKEN: registry.tokens.developer, PLATFORM_TOKEN: registry.tokens.platform };
});
after(async () => {
  server.stop();
  await registry.stop();
});

test('--help warns that the command changes the app', async () => {
  const { code, output } = await run(['--help'], {});
  assert.equal(code, 0);
  assert.match(output, /The command changes the app/);
});

test('the command refuses to start without --app, a base URL, both tokens and a known profile: the exit code is 2', async () => {
  const [baseUrl, app] = [target.slice(0, 2), target.slice(2)];
  for (const [args, environment, reason] of [
    [baseUrl, { ...tokens, APP: app[1] ?? '' }, /--app is missing/],
    [app, tokens, /--base-url/],
    [['--base-url', 'ftp://a.example', ...app], tokens, /--base-url/],
    [['--base-url', 'https://user:secret@a.example', ...app], tokens, /--base-url/],
    [target, {}, /token/],
    [[...target, '--profile', 'none'], tokens, /--profile/],
    [[...target, '--only', 'no such guarantee'], tokens, /No guarantee/],
    [[...target, '--frob'], tokens, /--frob/],
  ] as const) {
    const { code, output, errors } = await run(args, environment);
    assert.deepEqual([code, output], [2, '']);
    assert.match(errors, reason);
  }
});

test('each guarantee that holds gets a line, and the exit code is 0', async () => {
  server.deviation = {};
  const { code, output, errors } = await run([...target, '--only', 'null for /name'], tokens);
  assert.deepEqual(
    [code, output, errors],
    [0, 'ok      Null for /name is refused with 422. (interface 2.1, 2.8 rule 3)\n\n1 ok, 0 fail, 0 skipped.\n', ''],
  );
});

test('a failed guarantee shows the expected and received values and the request; the exit code is 1', async () => {
  server.deviation = {
    response: (response) => {
      if (response.status === 422) Object.assign(response, { status: 400, body: Buffer.from('No.') });
    },
  };
  const { code, output } = await run([...target, '--only', 'null for /name'], tokens);
  const request = `curl -i --path-as-is -X PATCH "${server.baseUrl}/developer/apps/v1/${target[3]}"`;
  const header = '-H "Authorization: Bearer ${' + 'DEVELOPER_TOKEN}" -H "Content-Type: application/json"';
  assert.equal(code, 1);
  assert.deepEqual(output.split('\n'), [
    'fails   Null for /name is refused with 422. (interface 2.1, 2.8 rule 3)',
    '        status: expected 422, received 400 "No."',
    `        ${request} ${header} --data-binary "{\\"name\\":null}"`,
    '',
    '0 ok, 1 fail, 0 skipped.',
    '',
  ]);
});

test('--json prints the same as one document', async () => {
  server.deviation = {};
  const { output } = await run([...target, '--json', '--only', 'null for /name', '--only', 'logoId gives'], tokens);
  const { summary, failures, guarantees } = JSON.parse(output);
  assert.deepEqual([summary, failures], [{ ok: 1, fails: 0, skipped: 1 }, []]);
  assert.deepEqual(
    guarantees.map(({ outcome }: { outcome: string }) => outcome),
    ['skipped', 'ok'],
  );
});

test('no token is printed, whether it comes from an option, a variable or a file, also when the server returns it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, `${tokens.DEVELOPER_TOKEN}\n`);
  server.deviation = {
    response: (response, { headers }) => {
      if (response.status >= 400)
        Object.assign(response, { status: 418, body: Buffer.from(headers.authorization ?? '') });
    },
  };
  const developer = ['--developer-token', tokens.DEVELOPER_TOKEN ?? ''];
  const runs = [
    await run([...target, ...developer, '--only', 'bearer token', '--only', 'null for'], {
      PLATFORM_TOKEN: tokens.PLATFORM_TOKEN ?? '',
    }),
    await run([...target, '--developer-token-file', file, '--json', '--only', 'null for'], tokens),
    await run(['--base-url', server.baseUrl, '--app', 'app_unknown'], tokens),
  ];
  assert.deepEqual(
    runs.map(({ code }) => code),
    [1, 1, 2],
  );
  for (const { output, errors } of runs) {
    assert.match(output + errors, /\$\{DEVELOPER_TOKEN\}/);
    for (const token of Object.values(tokens)) assert.equal((output + errors).includes(token), false);
  }
});

test('a long token stays in one piece in a command, so that it is found and replaced', () => {
  const token = `${'ab'.repeat(200)}.${randomBytes(100).toString('base64url')}`;
  const headers = { Authorization: `Bearer ${token}` };
  const command = curlOf(new URL(server.baseUrl), { method: 'GET', path: '/', headers });
  assert.ok(command.includes(`-H "Authorization: Bearer ${token}"`), command);
});

test('an interrupted process restores the app before it exits with 2', async () => {
  const app = await registry.data.newApp({ listingInfo: { longDescription: 'Before.' } });
  server.deviation = {
    response: (response) => {
      if (response.status === 422) Object.assign(response, { status: 429, headers: { 'retry-after': '100' } });
    },
  };
  const program = new Program([process.execPath, main, 'conformance', '--base-url', server.baseUrl, '--app', app.id], {
    env: tokens,
  });
  await program.until((stdout) => /^ok +Null removes/m.exec(stdout));
  program.kill('SIGINT');
  const { status, stderr } = await program.ended;
  assert.deepEqual([status, /The run was interrupted\.$/m.test(stderr)], [2, true]);
  const { name, listingInfo } = await registry.client().developer.apps.current(app.id);
  assert.deepEqual([name, listingInfo], [app.name, app.listingInfo]);
});

test('a process whose output is closed, as by head, restores the app', async () => {
  const app = await registry.data.newApp({ listingInfo: { longDescription: 'Before.' } });
  server.deviation = {};
  const args = ['conformance', '--base-url', server.baseUrl, '--app', app.id];
  const child = spawn(process.execPath, [main, ...args], { env: tokens, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const chunk of child.stdout) if (/^ok +Null removes/m.test(String(chunk))) break;
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 2);
  const { name, listingInfo } = await registry.client().developer.apps.current(app.id);
  assert.deepEqual([name, listingInfo], [app.name, app.listingInfo]);
});

async function run(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number; output: string; errors: string }> {
  let [output, errors] = ['', ''];
  const code = await runCommand(args, {
    environment,
    signal: new AbortController().signal,
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  });
  return { code, output, errors };
}
