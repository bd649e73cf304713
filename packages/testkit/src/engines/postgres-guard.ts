/**
 * Runs one PostgreSQL server in a temporary folder, as a child of this process, which ends both when
 * the channel to the process that forked it closes: a channel closes even when its owner is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyPostgresPrograms } from './postgres-programs.ts';
import type { GuardMessage } from './postgres-server.ts';

/** PostgreSQL refuses to run as root: root's server runs as the user `nobody`. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** The path of a socket below it has at most 103 bytes on macOS and 107 on Linux. */
const rootBytesMax = 75;

/** The folder of the programs, empty for those of npm, and further settings as JSON. */
const [givenPrograms, givenSettings = '{}'] = process.argv.slice(2);

const settings = {
  listen_addresses: '',
  max_connections: 200,
  // The data is thrown away: nothing of it has to survive a crash of the machine.
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // Tests that provoke a deadlock need not wait a second for its detection.
  deadlock_timeout: '50ms',
  ...JSON.parse(givenSettings),
};

let running: ChildProcess | undefined;
let ending = false;

const folder = mkdtempSync(join(temporaryRoot(), 'postgres-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, end);
// The process that forked this one may have exited already.
if (!process.connected) end();

try {
  const programs = givenPrograms || copyPostgresPrograms(folder);
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  await initialise(join(programs, 'initdb'));
  await serve(join(programs, 'postgres'));
  // The host in the query is the one that counts; the other makes this a URL for every parser.
  await report({ url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}&port=5432` });
} catch (error) {
  await report({ failure: error instanceof Error ? error.message : String(error) });
  end();
}

/** Where temporary files go, if the server's user can enter it and a socket's path fits. */
function temporaryRoot(): string {
  const isFit = (root: string) => Buffer.byteLength(root) <= rootBytesMax && (!runAs || isOpenToAll(root));
  return [tmpdir(), '/tmp'].find(isFit) ?? tmpdir();
}

function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return path === dirname(path) || isOpenToAll(dirname(path));
}

async function initialise(program: string): Promise<void> {
  const args = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const { child, output } = run(program, args);
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(output.join(''));
}

async function serve(program: string): Promise<void> {
  const given = Object.entries({ ...settings, unix_socket_directories: folder });
  const { child, output } = run(
    program,
    given.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  );
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.stderr?.on('data', () => output.join('').includes('ready to accept connections') && resolve());
  child.on('close', () => reject(new Error(output.join(''))));
  await ready;
  // What it prints from now on is caused by the tests; it is read so that the pipe never fills.
  child.stderr?.removeAllListeners('data').resume();
  child.on('close', end);
}

function run(program: string, args: string[]): { child: ChildProcess; output: string[] } {
  if (ending) throw new Error('ended before it was ready');
  // Nothing of the tests' own environment, such as PGPORT, may reach the server.
  const env = { LC_ALL: 'C', PGDATA: join(folder, 'data') };
  const child = spawn(program, args, { ...runAs, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  running = child;
  return { child, output };
}

async function report(message: GuardMessage): Promise<void> {
  // A process that has exited needs no message.
  await new Promise((resolve) => (process.connected ? process.send?.(message, resolve) : resolve(null)));
}

/** Ends the server, if there is one, and then this process, which removes the folder. */
function end(): void {
  ending = true;
  if (!running || running.exitCode !== null || running.signalCode !== null) process.exit();
  running.once('exit', () => process.exit());
  // PostgreSQL stops immediately.
  running.kill('SIGQUIT');
}
