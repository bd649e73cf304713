import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jsonOf, refusalOf } from '@appregistrar/testkit/programs/command-line';
import { copyPackage, linkedLauncher, olderNode, Program } from '@appregistrar/testkit/programs/program';
import { withoutOtherUsers } from '../../test/programs/other-users.ts';

const anyPort = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-'));
});
after(() => rm(folder, { recursive: true }));

describe('the command that npm links, in a plain shell', () => {
  test('runs a command without a build, and passes on its exit status and output', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'registry.db')}` };
    const run = (...args: string[]) => Program.run([linkedLauncher, ...args], { env, cwd: folder });
    const [done, refused, wrong] = await Promise.all([
      run('migrate', '--json'),
      run('app', 'get', 'app_01jq3v9y6ae0xv5m6b7k8c9d0e', '--json', '--database-url', 'sqlite:missing.db'),
      run('app', 'shwo'),
    ]);
    assert.equal(jsonOf<{ engine: string }>(done).engine, 'sqlite');
    assert.ok((await readdir(folder)).includes('registry.db'));
    assert.equal(refusalOf(refused).code, 'database_not_found');
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /unknown command 'shwo'/);
  });
});

test('a user whom the system does not know, without HOME, runs a command', {
  skip: withoutOtherUsers(),
}, async () => {
  const path = fileURLToPath(new URL('../../bin/app-registry.js', import.meta.url));
  const command: [string, ...string[]] = [
    process.execPath,
    path,
    'migrate',
    '--json',
    '--database-url',
    'sqlite::memory:',
  ];
  const result = await Program.run(command, { uid: 23_456, gid: 23_456, cwd: '/' });
  assert.equal(jsonOf<{ engine: string }>(result).engine, 'sqlite');
  assert.equal(result.stderr, '');
});

describe('without the dependencies of the source, as after npm prune --omit=dev', () => {
  test('the build runs, and a missing build is reported with how to create it', async (t) => {
    const { folder: copy, remove } = await copyPackage({ withDependencies: false });
    t.after(remove);
    const run = () => Program.run([process.execPath, join(copy, 'bin/app-registry.js'), 'serve'], { cwd: folder });
    const without = await run();
    assert.deepEqual([without.status, without.stdout], [1, '']);
    assert.match(without.stderr, /^app-registry: it is not built\. Run "npm ci" and "npm run build", /);
    await mkdir(join(copy, 'dist/cli'), { recursive: true });
    await writeFile(join(copy, 'dist/cli/main.js'), 'console.log(process.argv[2]);');
    assert.equal((await run()).stdout, 'serve\n');
  });
});

describe('on a Node that is too old, the launcher', () => {
  test('serves on the pinned one, and SIGTERM shuts it down gracefully', async (t) => {
    const server = await startServing(t);
    server.kill('SIGTERM');
    const { status, signal, stdout, stderr } = await server.ended;
    assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
    assert.match(stdout, /"msg":"stopped"/);
  });

  test('passes on a second signal, which stops the server immediately', async (t) => {
    const server = await startServing(t);
    // An unfinished request delays the shutdown.
    const request = connect(await server.until(portOf), '127.0.0.1').on('error', () => {});
    request.write('GET / HTTP/1.1\r\n');
    await once(request, 'connect');
    server.kill('SIGINT');
    await server.until((log) => /"msg":"stopping"/.exec(log));
    // Signals within 50 ms of the first count as one.
    await setTimeout(100);
    server.kill('SIGINT');
    const { status, stdout } = await server.ended;
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /"msg":"stopped"/);
  });

  test('stops the server when the launcher is killed', async (t) => {
    const server = await startServing(t);
    server.kill('SIGKILL');
    const { signal, stdout } = await server.ended;
    assert.equal(signal, 'SIGKILL');
    assert.match(stdout, /"msg":"stopped"/);
  });

  test('exits with the status of a killed server', async (t) => {
    const server = await startServing(t);
    process.kill(await server.until(pidOf), 'SIGKILL');
    assert.equal((await server.ended).status, 128 + 9);
  });

  test('reports the required Node version when no newer Node is available', async () => {
    const { folder: copy, remove } = await copyPackage({ withDependencies: false });
    try {
      const result = await Program.run([...olderNode(), join(copy, 'bin/app-registry.js'), 'migrate'], { cwd: folder });
      assert.deepEqual([result.status, result.stdout], [1, '']);
      assert.match(
        result.stderr,
        /^app-registry: this is Node \d+\.\d+\.\d+; app-registry needs Node 24\.15 or newer\./,
      );
    } finally {
      await remove();
    }
  });
});

/** A serving server, launched by an older Node. */
async function startServing(t: TestContext): Promise<Program> {
  const env = { DATABASE_URL: 'sqlite::memory:', ...anyPort };
  const server = new Program([...olderNode(), linkedLauncher, 'serve'], { env, cwd: folder });
  let hasEnded = false;
  void server.ended.then(() => {
    hasEnded = true;
  });
  t.after(() => server.kill('SIGKILL'));
  await server.until((stdout) => /"msg":"serving"/.exec(stdout));
  // A server that outlives its launcher must not outlive the test.
  t.after(() => hasEnded || process.kill(pidOf(server.stdout), 'SIGKILL'));
  return server;
}

function portOf(log: string): number {
  return Number(/"public":"127\.0\.0\.1:(\d+)"/.exec(log)?.[1]);
}

/** The process id of the server, from its log. */
function pidOf(log: string): number {
  return Number(/"pid":(\d+)/.exec(log)?.[1]);
}
