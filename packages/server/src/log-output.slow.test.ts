import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pipelineUnknown } from '@appregistrar/testkit/http/pipeline-unknown';
import { send, trySend } from '@appregistrar/testkit/http/send';
import { compileCache } from '@appregistrar/testkit/programs/compile-cache';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { NamedPipe } from '@appregistrar/testkit/system/named-pipe';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';

const main = fileURLToPath(new URL('cli/main.ts', import.meta.url));
const logModule = new URL('log.ts', import.meta.url).href;
/** Their lines are more than any output takes that is not read. */
const requests = 4_000;
const pollMs = 20;
const started: ChildProcess[] = [];
after(() => {
  for (const child of started) child.kill('SIGKILL');
});

// `faults/log` stalls, closes and fills pipes and disks. systemd gives a service a socket.
test('serve responds, and ends with status 0, when its standard output is a socket that is not read', async () => {
  const { env, operatorPort, port } = await settings();
  const service = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(service);
  await untilReady(operatorPort);
  await responds({ port, operatorPort });
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
});

test('serve responds, and ends with status 0, when its standard output is a terminal that is not read', async () => {
  const folder = temporaryFolder('terminal-');
  const pipe = new NamedPipe();
  const stdout = pipe.openWriter();
  const [pidFile, statusFile] = [join(folder, 'pid'), join(folder, 'status')];
  const { env, operatorPort, port } = await settings();
  const shell = `"$NODE" "$MAIN" serve & echo $! > ${pidFile}; wait $!; echo $? > ${statusFile}`;
  const terminal = spawn('script', ['--quiet', '--command', shell, '/dev/null'], {
    env: { ...env, NODE: process.execPath, MAIN: main },
    stdio: ['ignore', stdout, 'ignore'],
  });
  started.push(terminal);
  closeSync(stdout);
  await untilReady(operatorPort);
  await responds({ port, operatorPort });
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  let status = '';
  while (status === '') {
    await sleep(pollMs);
    status = readIfExists(statusFile);
  }
  assert.equal(status, '0\n');
  pipe.remove();
  await once(terminal, 'exit');
  removeFolder(folder);
});

test('lines logged just before a process exits are written', async () => {
  const program = `
    import { createLogger } from '${logModule}';
    const log = createLogger('info');
    log.info('first'); log.info('last'); process.exit(3);`;
  const logging = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [status]] = await Promise.all([text(logging.stdout), once(logging, 'exit')]);
  assert.equal(status, 3);
  assert.deepEqual(
    linesOf(output).map(({ msg }) => msg),
    ['first', 'last'],
  );
});

test('an error at startup is reported even if the log cannot be written', async () => {
  const stdout = openSync('/dev/full', 'w');
  const { env } = await settings();
  const service = spawn(process.execPath, [main, 'serve'], {
    env: { ...env, DATABASE_URL: 'sqlite:/dev/null/registry.db' },
    stdio: ['ignore', stdout, 'pipe'],
  });
  closeSync(stdout);
  assert.ok(service.stderr);
  const [error, [status]] = await Promise.all([text(service.stderr), once(service, 'exit')]);
  assert.equal(status, 1);
  assert.match(error, /^app-registry: The SQLite database .* cannot be opened/);
});

async function responds({ port, operatorPort }: { port: number; operatorPort: number }): Promise<void> {
  assert.equal(await pipelineUnknown(port, requests), requests);
  const { status } = await send(`http://127.0.0.1:${operatorPort}`, { method: 'GET', path: '/livez' });
  assert.equal(status, 200);
}

async function untilReady(operatorPort: number): Promise<void> {
  const ready = () => trySend(`http://127.0.0.1:${operatorPort}`, { method: 'GET', path: '/readyz' });
  while ((await ready())?.status !== 200) await sleep(pollMs);
}

async function settings() {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    DATABASE_URL: 'sqlite::memory:',
    PUBLIC_ADDRESS: `127.0.0.1:${port}`,
    OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  };
  return { env, port, operatorPort };
}

function linesOf(output: string): { line?: number; msg?: string }[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
