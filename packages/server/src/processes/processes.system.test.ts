import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, request as sendRequest } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engine, forEachEngine, on, onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { Program } from '@appregistrar/testkit/programs/program';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandProcesses, holdsConnection } from '@appregistrar/testkit/system/command-processes';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { residentMib } from '@appregistrar/testkit/system/process-usage';

const main = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const numbers = [1, 2];
const serveCommand: [string, ...string[]] = [process.execPath, main, 'serve', '--processes', String(numbers.length)];
const anyPort = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
const reads = 'http_request_duration_seconds_count{route="/platform/apps/v1/:id",method="GET",status="200"}';

forEachEngine((engine) => {
  test('kill -9 of one process under load fails no connection of another, and it is replaced', async (context) => {
    const command = await Command.start(engine);
    context.after(() => command.remove());
    const load = numbers.flatMap((number) => Array.from({ length: 4 }, () => number));
    const connections = await Promise.all(load.map((number) => command.connectTo(number)));
    const stop = new AbortController();
    const failures = connections.map((connection) => readUntilFailure(connection, command.read, stop.signal));
    const victim = command.pidOf(2);
    process.kill(victim, 'SIGKILL');

    const problem = await command.untilReadiness(503);
    assert.match(problem, /"Process 2 (?:does not respond|is still starting)\."/);
    for (let count = 0; count < 20; count += 1) assert.equal((await command.send(command.read)).status, 200);
    await command.untilReadiness(200);
    assert.notEqual(command.pidOf(2), victim);
    stop.abort();
    const failed = await Promise.all(failures);
    assert.deepEqual(
      failed,
      load.map((number) => number === 2),
    );
    assert.equal((await command.scrape()).value('process_restarts_total'), 1);
    const died = command.log().find(({ msg }) => msg === 'a process died: restarting it');
    assert.deepEqual([died?.process, died?.signal, died?.deaths], [2, 'SIGKILL', 1]);
    assert.equal((await command.stop()).status, 0);
  });

  test('a new database is created once, and the command logs once that it is serving', async (context) => {
    const database = await engine.createDatabase();
    const program = new Program(serveCommand, { env: { ...anyPort, DATABASE_URL: database.url } });
    context.after(async () => {
      program.kill('SIGKILL');
      await program.ended;
      await database.drop();
    });
    await program.until((stdout) => /"msg":"serving"/.exec(stdout));
    program.kill('SIGTERM');
    await program.ended;
    // Those of the server of the tests.
    const log = linesOf(program.stdout).filter(({ msg }) => !msg.startsWith('PostgreSQL runs with'));
    assert.deepEqual(
      log.map(({ process: number, msg }) => [number, msg]),
      [
        [1, 'no registry found: created an empty one'],
        [1, 'webhook secrets are stored as plain text: set SECRETS_KEY to encrypt them'],
        [undefined, 'serving'],
        [undefined, 'stopped'],
      ],
    );
    assert.equal(log[2]?.processes, numbers.length);
  });
});

// What a command does with its processes is the same on every engine.
onSqlite((engine) => {
  test('SIGTERM under load loses no response', async (context) => {
    const command = await Command.start(engine, { RATE_LIMIT_UPDATES_PER_MINUTE: '0' });
    context.after(() => command.remove());
    const flows = Array.from({ length: 16 }, (_, at) => sendUntilRefused(command, { keepsAlive: at % 2 === 0, at }));
    await sleep(500);
    const { status, stderr } = await command.stop();
    assert.deepEqual([status, stderr], [0, '']);
    const ended = await Promise.all(flows);
    const responses = ended.flatMap(({ statuses }) => statuses);
    assert.ok(responses.every((responseStatus) => responseStatus === 200));
    for (const { end } of ended) assert.equal(end, 'ECONNREFUSED');
    // What was reset was never accepted: each request in the log has its response.
    const served = command.log().filter(({ msg }) => msg === 'request');
    assert.equal(served.length, responses.length);
    assert.equal(command.log().filter(({ msg }) => msg === 'stopped').length, 1);
  });

  test('a process that dies again and again ends the command, with status 1', async (context) => {
    const command = await Command.start(engine);
    context.after(() => command.remove());
    let killed = 0;
    let deaths = 0;
    while (command.program.process.exitCode === null) {
      const pid = commandProcesses(command.program.process.pid ?? 0).get(2);
      if (pid !== undefined && pid !== killed) {
        killed = pid;
        deaths += 1;
        process.kill(pid, 'SIGKILL');
      }
      await sleep(10);
    }
    assert.deepEqual([(await command.program.ended).status, deaths], [1, 8]);
    const fatal = command.log().find(({ level }) => level === 60);
    assert.match(String(fatal?.msg), /^a process died too many times in a row: the command ends\./);
  });

  test('kill -9 of the supervisor has all processes drain and end', async (context) => {
    const command = await Command.start(engine);
    context.after(() => command.remove());
    const pids = numbers.map((number) => command.pidOf(number));
    command.program.kill('SIGKILL');
    // Resolves once no process holds its output.
    await command.program.ended;
    assert.deepEqual(pids.map(residentMib), [0, 0]);
    const holder = createServer().listen(command.port, '127.0.0.1');
    await once(holder, 'listening');
    holder.close();
  });

  test('a second signal ends all processes at once', async (context) => {
    const command = await Command.start(engine);
    context.after(() => command.remove());
    // It never completes, so that a drain would cut it off after eight seconds.
    const [open] = await Promise.all(numbers.map((number) => command.connectTo(number)));
    await open?.begin(command.update('Never sent'));
    command.program.kill('SIGTERM');
    await sleep(500);
    command.program.kill('SIGTERM');
    const { status, stdout } = await command.program.ended;
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /requests that did not complete in time were cut off/);
  });

  test('a process that dies before it is drained makes the command end with 1', async (context) => {
    const command = await Command.start(engine);
    context.after(() => command.remove());
    const victim = command.pidOf(2);
    // It never completes, so that the drain lasts.
    await (await command.connectTo(2)).begin(command.update('Never sent'));
    command.program.kill('SIGTERM');
    await command.untilRefused();
    process.kill(victim, 'SIGKILL');
    assert.equal((await command.program.ended).status, 1);
    const died = command.log().find(({ msg }) => msg === 'a process died before it was drained');
    assert.deepEqual([died?.process, died?.signal], [2, 'SIGKILL']);
  });

  test('an address that is in use ends the command with one message', async () => {
    const database = await engine.createMigratedDatabase();
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const env = { ...anyPort, DATABASE_URL: database.url, PUBLIC_ADDRESS: `127.0.0.1:${port}` };
    const { status, stderr } = await Program.run(serveCommand, { env });
    holder.close();
    await database.drop();
    assert.equal(status, 1);
    assert.match(stderr, /^app-registry: Cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE\. .*\n$/);
  });
});

describe('a command that runs', () => {
  let command: Command;
  before(async () => {
    const env = { RATE_LIMIT_UPDATES_PER_MINUTE: '4', STORED_BYTES_PER_DEVELOPER_PER_DAY: '50000' };
    command = await Command.start(sqlite, env);
  });
  after(() => command.remove());

  test('the limit of a token applies to all processes together, and quota that one releases can be used in another', async () => {
    await command.renewToken();
    const connections = await Promise.all([1, 2, 1, 2].map((number) => command.connectTo(number)));
    const [first, second] = connections;
    await first?.send(command.update('First'));
    const empty = await second?.send(updateAppRequest(command.tokens.developer, { id: command.appId, update: {} }));
    assert.match(String(empty?.headers.ratelimit), /^"updates";r=3;/);
    const requests = Array.from({ length: 32 }, (_, at) => connections[at % 4]?.send(command.update(`Name ${at}`)));
    const responses = await Promise.all(requests);
    const admitted = responses.filter((response) => response?.status === 200);
    const left = admitted.map((response) => Number(/r=(\d+)/.exec(String(response?.headers.ratelimit))?.[1]));
    assert.deepEqual(
      left.toSorted((a, b) => b - a),
      [2, 1, 0],
    );
    const refused = responses.filter((response) => response?.status === 429);
    assert.equal(refused.length, 29);
    for (const response of refused) assert.match(String(response?.headers.ratelimit), /^"updates";r=0;t=\d+$/);
  });

  test('a process that does not respond makes the command not ready', async () => {
    const connection = await command.connectTo(1, command.operatorPort);
    process.kill(command.pidOf(2), 'SIGSTOP');
    const response = await connection.send({ method: 'GET', path: '/readyz' });
    assert.equal(response.status, 503);
    assert.match(response.text, /"Process 2 does not respond\."/);
    process.kill(command.pidOf(2), 'SIGCONT');
    await command.untilReadiness(200);
  });

  test('a hanging supervisor delays no response: the processes divide the limits and log that', async () => {
    await command.renewToken();
    const connections = await Promise.all(numbers.map((number) => command.connectTo(number)));
    const operator = await command.connectTo(1, command.operatorPort);
    command.program.kill('SIGSTOP');
    for (const connection of connections) {
      const responses = [];
      for (const name of ['One', 'Two', 'Three']) responses.push(await connection.send(command.update(name)));
      const limited = responses.map(({ status, headers }) => [status, headers.ratelimit?.slice(0, 13)]);
      assert.deepEqual(limited, [
        [200, '"updates";r=1'],
        [200, '"updates";r=0'],
        [429, '"updates";r=0'],
      ]);
    }
    const readiness = await operator.send({ method: 'GET', path: '/readyz' });
    assert.equal(readiness.status, 503);
    assert.match(readiness.text, /"The supervisor of this command does not respond/);
    const alone = new ScrapedMetrics((await operator.send({ method: 'GET', path: '/metrics' })).text);
    assert.deepEqual([alone.value('process_supervisor_up'), alone.value('registry_ready')], [0, 0]);

    command.program.kill('SIGCONT');
    await command.untilReadiness(200);
    assert.equal((await command.scrape()).value('process_supervisor_up'), 1);
    // Of each process it has counted the one request that it had received.
    const statuses = [];
    for (const at of [0, 1, 0]) statuses.push((await connections[at]?.send(command.update(`Name ${at}`)))?.status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  test('metrics of any process show the whole command, and no sum falls when a process dies', async () => {
    const connections = await Promise.all(numbers.map((number) => command.connectTo(number)));
    for (const connection of [...connections, ...connections, connections[0]]) await connection?.send(command.read);
    for (const number of numbers) {
      const scraped = await command.scrapeFrom(number);
      assert.equal(scraped.value(reads), 5);
      assert.equal(scraped.value('developer_stored_bytes_limit'), 50_000);
      assert.equal(scraped.value('registry_ready'), 1);
      const mib = numbers.reduce((sum, one) => sum + residentMib(command.pidOf(one)), 0);
      const ratio = Number(scraped.value('process_resident_memory_bytes')) / 2 ** 20 / mib;
      assert.ok(ratio > 0.8 && ratio < 1.25, `the sum of memory is ${ratio} of that of the processes`);
    }
    process.kill(command.pidOf(1), 'SIGKILL');
    assert.equal((await command.scrape()).value(reads), 5);
    await command.untilReadiness(200);
    assert.equal((await command.scrape()).value(reads), 5);
  });
});

test(
  'every process notices that the database file was removed, and none creates another',
  on(sqlite),
  async (context) => {
    const command = await Command.start(sqlite);
    context.after(() => command.remove());
    await rm(command.databaseUrl.slice('sqlite:'.length));
    await command.untilReadiness(503);
    await command.program.until((stdout) => (linesOf(stdout).filter(isLost).length === numbers.length ? true : null));
    process.kill(command.pidOf(2), 'SIGKILL');
    await command.program.until((stdout) => /"deaths":2/.exec(stdout));
    assert.match(command.program.stderr, /^(app-registry: There is no registry in .*\n)+$/);
  },
);

test('a process number that no command assigned is refused with one message', async () => {
  for (const number of ['2', `2 of ${process.pid}`]) {
    const { status, stdout, stderr } = await Program.run(serveCommand, { env: { APP_REGISTRY_PROCESS: number } });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^app-registry: APP_REGISTRY_PROCESS is reserved for the processes that .* Unset it\.\n$/);
  }
});

test('an invalid configuration ends the command with one message', async () => {
  const { status, stdout, stderr } = await Program.run([process.execPath, main, 'serve', '--processes', 'many']);
  assert.deepEqual([status, stdout], [1, '']);
  const expected = 'PROCESSES must be auto or an integer from 1 to 256, not "many".';
  assert.equal(stderr, `app-registry: The configuration is invalid:\n  ${expected}\n`);
});

interface Line {
  level: number;
  msg: string;
  process?: number;
  [field: string]: unknown;
}

function linesOf(log: string): Line[] {
  return log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function isLost({ msg }: Line): boolean {
  return msg.startsWith('database lost');
}

/** A command of two processes, with one app. */
class Command {
  readonly program: Program;
  readonly port: number;
  readonly operatorPort: number;
  readonly databaseUrl: string;
  readonly appId: string;
  readonly tokens: { developer: string; platform: string };
  readonly #fixture: RegistryFixture;
  readonly #connections: Connection[] = [];

  static async start(engine: Engine, env: Record<string, string> = {}): Promise<Command> {
    const fixture = await RegistryFixture.open(engine);
    const { id: appId } = await fixture.newApp();
    const [developer, platform] = [await fixture.newToken('developer'), await fixture.newToken('platform')];
    const program = new Program(serveCommand, { env: { ...anyPort, DATABASE_URL: fixture.databaseUrl, ...env } });
    const serving = await program.until((stdout) => linesOf(stdout).find(({ msg }) => msg === 'serving'));
    const tokens = { developer: developer.token, platform: platform.token };
    return new Command({ fixture, program, serving, appId, tokens });
  }

  private constructor(parts: {
    fixture: RegistryFixture;
    program: Program;
    serving: Line;
    appId: string;
    tokens: { developer: string; platform: string };
  }) {
    const portOf = (address: unknown) => Number(String(address).split(':')[1]);
    this.#fixture = parts.fixture;
    this.program = parts.program;
    this.databaseUrl = parts.fixture.databaseUrl;
    this.port = portOf(parts.serving.public);
    this.operatorPort = portOf(parts.serving.operator);
    this.appId = parts.appId;
    this.tokens = parts.tokens;
  }

  get read(): HttpRequest {
    return getAppRequest(this.tokens.platform, this.appId);
  }

  update(name: string): HttpRequest {
    return updateAppRequest(this.tokens.developer, { id: this.appId, update: { name } });
  }

  /** Issues a token with its own limits. */
  async renewToken(): Promise<void> {
    this.tokens.developer = (await this.#fixture.newToken('developer')).token;
  }

  pidOf(number: number): number {
    return commandProcesses(this.program.process.pid ?? 0).get(number) ?? assert.fail(`no process ${number}`);
  }

  log(): Line[] {
    return linesOf(this.program.stdout);
  }

  /** A connection that one of the processes has accepted. */
  async connectTo(number: number, port = this.port): Promise<Connection> {
    for (;;) {
      const connection = new Connection(port);
      this.#connections.push(connection);
      await connection.send({ method: 'GET', path: '/openapi.json' });
      if (holdsConnection(this.pidOf(number), { from: connection.localPort, to: port })) return connection;
      connection.close();
    }
  }

  /** Sends a request on a connection of its own. */
  async send(request: HttpRequest, port = this.port): Promise<Received> {
    const connection = new Connection(port);
    const received = await connection.send(request).finally(() => connection.close());
    return received;
  }

  async scrape(): Promise<ScrapedMetrics> {
    const { text } = await this.send({ method: 'GET', path: '/metrics' }, this.operatorPort);
    return new ScrapedMetrics(text);
  }

  async scrapeFrom(number: number): Promise<ScrapedMetrics> {
    const connection = await this.connectTo(number, this.operatorPort);
    return new ScrapedMetrics((await connection.send({ method: 'GET', path: '/metrics' })).text);
  }

  /** Resolves to the body of the first response of `/readyz` with this status. */
  async untilReadiness(status: number): Promise<string> {
    for (;;) {
      const response = await this.send({ method: 'GET', path: '/readyz' }, this.operatorPort).catch(() => null);
      if (response?.status === status) return response.text;
      await sleep(5);
    }
  }

  /** Resolves once the command listens no longer. */
  async untilRefused(): Promise<void> {
    while (await this.send(this.read).catch(() => null)) await sleep(5);
  }

  stop() {
    this.program.kill('SIGTERM');
    return this.program.ended;
  }

  async remove(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    this.program.kill('SIGKILL');
    await this.program.ended;
    await this.#fixture.close();
  }
}

interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One connection at a time, which stays open. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  localPort = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async send({ body, ...request }: HttpRequest): Promise<Received> {
    const sent = this.#request(request);
    sent.end(body);
    const [response] = await once(sent, 'response');
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  }

  /** Sends a request without its last byte. Resolves once its process has its header. */
  async begin({ body = '', ...request }: HttpRequest): Promise<void> {
    const headers = { ...request.headers, 'content-length': String(body.length), expect: '100-continue' };
    const sent = this.#request({ ...request, headers });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.on('error', () => {});
    sent.write(body.slice(0, -1));
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(request: Omit<HttpRequest, 'body'>) {
    const sent = sendRequest({ host: '127.0.0.1', port: this.#port, agent: this.#agent, ...request });
    sent.on('socket', (socket) => {
      const note = () => {
        this.localPort = socket.localPort ?? 0;
      };
      if (socket.connecting) socket.once('connect', note);
      else note();
    });
    return sent;
  }
}

/** Sends reads on a connection until it fails or the signal. Whether it has failed. */
async function readUntilFailure(connection: Connection, read: HttpRequest, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const response = await connection.send(read).catch(() => null);
    if (response === null) return true;
    assert.equal(response.status, 200);
  }
  return false;
}

/** Sends reads and updates until no response arrives. */
async function sendUntilRefused(
  command: Command,
  { keepsAlive, at }: { keepsAlive: boolean; at: number },
): Promise<{ statuses: number[]; end: unknown }> {
  const statuses: number[] = [];
  let wasReset = false;
  let lasting = new Connection(command.port);
  for (let count = 0; ; count += 1) {
    const request = count % 2 === 0 ? command.read : command.update(`Name ${at} ${count}`);
    try {
      statuses.push((keepsAlive ? await lasting.send(request) : await command.send(request)).status);
    } catch (error) {
      const end = error instanceof Error && 'code' in error ? error.code : error;
      lasting.close();
      // The system resets a connection that arrives as the last process closes the socket. The next one is refused.
      if (end !== 'ECONNRESET' || wasReset) return { statuses, end };
      wasReset = true;
      lasting = new Connection(command.port);
    }
  }
}
