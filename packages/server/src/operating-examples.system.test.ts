import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { adaptBlock, OperatingPage, postgresSettingsOf, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { Program } from '@appregistrar/testkit/programs/program';
import { postgresPrograms, systemPath } from '@appregistrar/testkit/programs/system-programs';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { portOf } from '../test/http/port-of.ts';
import { RegistryProgram, type Serving } from '../test/programs/registry-program.ts';
import { readConfig } from './config/config.ts';
import type { EventFeedPage } from './features/events/event-query.ts';

const page = await OperatingPage.read();
const main = fileURLToPath(new URL('cli/main.ts', import.meta.url));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  // The user of PostgreSQL archives into it.
  await chmod(folder, 0o777);
});
after(() => rm(folder, { recursive: true }));

test('secrets are read from the files that the example names', async () => {
  const [example = ''] = page.section('Secrets in files').blocks('ini');
  await writeFile(join(folder, 'database-password'), 'p&w\n');
  await writeFile(join(folder, 'webhook-keys'), `${Buffer.alloc(32, 'k').toString('base64')}\n`);
  const config = readConfig(variablesOf(adaptBlock(example, [['/run/secrets/', `${folder}/`]])));
  assert.match(config.databaseUrl, /^postgres:\/\/registry@db\.example\.com\/registry\?.*password=p%26w/);
  assert.equal(config.secretKeys.length, 1);
});

test('a registry on PostgreSQL that is recovered to a point in time has the changes before it, and confirms none after it', async (t) => {
  const section = page.section('Point-in-time recovery');
  const [archiving = '', recovery = ''] = section.blocks('ini');
  const [backup = ''] = section.blocks('bash');
  const moved: [string, string][] = [['/var/backups/wal/', `${folder}/`]];
  const cluster = await PostgresCluster.create(postgresSettingsOf(adaptBlock(archiving, moved)));
  t.after(() => cluster.remove());
  const program = new RegistryProgram({ name: 'before', main, databaseUrl: cluster.url() });
  t.after(() => program.kill());
  const registry = await Filled.create(program);
  const script = adaptBlock(backup, [['/var/backups/', `${folder}/`]]);
  const env = { DATABASE_URL: cluster.url(), PATH: [postgresPrograms, systemPath].join(':') };
  assert.equal((await Program.run(['bash', '-c', script], { env })).status, 0);
  await cluster.backUp();

  const server = await program.serve();
  const retained = await registry.rename(server, 'Retained');
  const known = await registry.readFeed(program);
  const [moment] = await cluster.query<{ now: string }>('select clock_timestamp()::text as now');
  const lost = await registry.rename(server, 'Lost');
  const lostFeed = await registry.readFeed(program);
  await server.stop();
  await cluster.archived();

  const at: [string, string] = ['2026-03-01 09:30:00+00', moment?.now ?? ''];
  const recovered = await cluster.recover(postgresSettingsOf(adaptBlock(recovery, [...moved, at])));
  t.after(() => recovered.remove());
  const since = new RegistryProgram({ name: 'since', main, databaseUrl: recovered.url() });
  t.after(() => since.kill());
  assert.equal((await since.done<{ apps: number }>('check')).apps, 1);
  const again = await since.serve();
  const read = await registry.read(again, lost.readTag);
  assert.deepEqual([read.status, read.name], [200, 'Retained']);
  assert.equal((await registry.read(again, retained.readTag)).status, 304);
  assert.equal(await registry.updateIf(again, lost.updateTag), 412);
  assert.equal(await registry.updateIf(again, retained.updateTag), 200);
  const expired = await since.run('event', 'read-feed', '--cursor', lostFeed, '--json');
  assert.equal(JSON.parse(expired.stderr).code, 'cursor_expired');
  const next = await since.done<EventFeedPage>('event', 'read-feed', '--cursor', known);
  assert.deepEqual(
    next.items.map(({ type }) => type),
    ['app.updated'],
  );
});

test('rsyslog ships each line of the log to a server that takes JSON lines', async (t) => {
  const [unit = ''] = page.section('Ship the log').blocks('ini');
  const [configuration = ''] = page.section('Ship the log').blocks('rsyslog');
  const [, shown = ''] = /^StandardOutput=append:(.*)$/m.exec(unit) ?? [];
  const file = join(folder, 'log.jsonl');
  const logs = await LogServer.start();
  t.after(() => logs.close());
  const ship = adaptBlock(configuration, [
    [shown, file],
    ['logs.example.com', '127.0.0.1'],
    ['5170', String(logs.port)],
  ]);
  const env = { DATABASE_URL: `sqlite:${join(folder, 'registry.db')}`, PUBLIC_ADDRESS: '127.0.0.1:0' };
  const server = new StartedProcess([process.execPath, main, 'serve'], {
    env: { ...env, OPERATOR_ADDRESS: '127.0.0.1:0' },
    stdoutFile: file,
  });
  t.after(() => server.end('SIGKILL'));
  const rsyslog = new Rsyslog(ship);
  t.after(() => rsyslog.stop());
  const serving = await logs.until((line) => line.msg === 'serving');
  assert.equal((await fetch(`http://${serving.public}/none`, { headers: { traceparent } })).status, 404);
  const request = await logs.until((line) => line.msg === 'request');
  assert.deepEqual([request.status, request.traceId], [404, traceparent.split('-')[1]]);
  assert.equal(await server.end('SIGTERM'), 0);
  await logs.until((line) => line.msg === 'stopped');
  assert.deepEqual(
    logs.lines,
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
});

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** A registry with one app, and what its clients know. */
class Filled {
  readonly #id: string;
  readonly #tokens: { developer: string; platform: string };

  static async create(program: RegistryProgram): Promise<Filled> {
    await program.done('migrate');
    const { id: userId } = await program.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
    const app = await program.done<{ id: string }>('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
    const issue = async (...kind: string[]) =>
      (await program.done<{ token: string }>('token', 'create', '--kind', ...kind)).token;
    const tokens = { developer: await issue('developer', '--developer', userId), platform: await issue('platform') };
    return new Filled(app.id, tokens);
  }

  private constructor(id: string, tokens: { developer: string; platform: string }) {
    this.#id = id;
    this.#tokens = tokens;
  }

  /** Renames the app. Returns the ETags that clients have then. */
  async rename(server: Serving, name: string): Promise<{ readTag: string; updateTag: string }> {
    const updated = await this.#update(server, { name });
    assert.equal(updated.status, 200);
    return { readTag: (await this.read(server)).tag, updateTag: updated.headers.get('etag') ?? '' };
  }

  async updateIf(server: Serving, tag: string): Promise<number> {
    return (await this.#update(server, { name: 'Updated' }, { 'if-match': tag })).status;
  }

  async read(server: Serving, tag?: string): Promise<{ status: number; name?: string; tag: string }> {
    const headers = { authorization: `Bearer ${this.#tokens.platform}`, ...(tag && { 'if-none-match': tag }) };
    const response = await fetch(`http://127.0.0.1:${server.port}/platform/apps/v1/${this.#id}`, { headers });
    const name = response.status === 200 ? ((await response.json()) as { name: string }).name : undefined;
    return { status: response.status, ...(name && { name }), tag: response.headers.get('etag') ?? '' };
  }

  /** Reads the feed to its end. Returns the cursor. */
  async readFeed(program: RegistryProgram): Promise<string> {
    return (await program.done<EventFeedPage>('event', 'read-feed', '--limit', '100')).nextCursor;
  }

  #update(server: Serving, update: object, more: Record<string, string> = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#tokens.developer}`, 'content-type': 'application/json', ...more };
    const init = { method: 'PATCH', headers, body: JSON.stringify(update) };
    return fetch(`http://127.0.0.1:${server.port}/developer/apps/v1/${this.#id}`, init);
  }
}

/** rsyslog with a configuration alone, as a process of its own. */
class Rsyslog {
  readonly #folder = temporaryFolder('rsyslog-');
  readonly #process: StartedProcess;

  constructor(configuration: string) {
    const [file, pid] = [join(this.#folder, 'rsyslog.conf'), join(this.#folder, 'pid')];
    writeFileSync(file, `global(workDirectory="${this.#folder}")\n${configuration}`);
    const command: [string, ...string[]] = ['rsyslogd', '-n', '-f', file, '-i', pid];
    this.#process = new StartedProcess(command, { env: { PATH: systemPath }, cwd: this.#folder });
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
    removeFolder(this.#folder);
  }
}

/** Takes JSON lines by TCP. */
class LogServer {
  readonly lines: Record<string, unknown>[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #wakeUp = Promise.withResolvers<void>();

  static async start(): Promise<LogServer> {
    const logs = new LogServer();
    await new Promise<void>((resolve) => logs.#server.listen(0, '127.0.0.1', resolve));
    return logs;
  }

  private constructor() {
    this.#server = createServer((socket) => this.#take(socket));
  }

  get port(): number {
    return portOf(this.#server);
  }

  async until(isWanted: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.find(isWanted);
      if (found) return found;
      await this.#wakeUp.promise;
    }
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #take(socket: Socket): void {
    let text = '';
    this.#sockets.add(socket);
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      this.lines.push(...lines.map((line) => JSON.parse(line)));
      this.#wakeUp.resolve();
      this.#wakeUp = Promise.withResolvers();
    });
  }
}
