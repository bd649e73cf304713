import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { interruptMigration } from '@appregistrar/testkit/storage/later-schemas';
import { changeSchema, execute } from '@appregistrar/testkit/storage/storage-test';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { parseResponses } from '../test/http/exchange.ts';
import { type ServedHere, serveHere } from '../test/programs/serve-here.ts';
import { commandLine } from './kernel/registry.ts';
import { ListenError } from './listen.ts';
import { UnusableDatabase } from './storage/storage-failure.ts';
import { currentBuild } from './version.ts';

/** What an ending service logs if it did not wait any longer for what is under way. */
const whenCutOff = /"msg":"requests that did not complete in time were cut off"/;
const inMemory = 'sqlite::memory:';

test('a server that stops completes a request, whose response closes its connection', async () => {
  const serving = await Serving.start();
  const request = await serving.startUpdate();
  const stopped = serving.server.stop();
  const response = await request.finish();
  assert.deepEqual([response.status, response.headers.connection], [200, 'close']);
  await stopped;
  assert.doesNotMatch(serving.server.log.text, whenCutOff);
  assert.deepEqual(await serving.namesStored(), ['Finished in time']);
});

test('a server that stops cuts off a request that does not complete in time, and logs it', async () => {
  const serving = await Serving.start();
  await serving.startUpdate();
  await serving.server.stop({ cutOffMs: 1 });
  assert.match(serving.server.log.text, whenCutOff);
  assert.match(serving.server.log.text, /"connections":1,"seconds":0\.001\b/);
  assert.deepEqual(await serving.namesStored(), ['App 1']);
});

test('a server that stops reports not ready and closes its connections', async () => {
  const server = await serveHere(inMemory);
  const sockets = [server.operatorUrl, server.publicUrl].map((url) => connect(portIn(url), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const stopped = server.stop();
  const responses = sockets.map(async (socket, at) => {
    socket.write(`GET ${at === 0 ? '/readyz' : '/openapi.json'} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [response] = parseResponses(await text(socket));
    return [response?.status, response?.headers.connection];
  });
  assert.deepEqual(await Promise.all(responses), [
    [503, 'close'],
    [200, 'close'],
  ]);
  await stopped;
  await assert.rejects(fetch(`${server.publicUrl}/openapi.json`));
});

describe('a running server', () => {
  let server: ServedHere;
  before(async () => {
    server = await serveHere(inMemory);
  });
  after(() => server.stop());

  test('reports liveness, readiness and metrics only on the operator listener', async () => {
    const { version, commit = '' } = currentBuild();
    const [liveStatus, live] = await get(server.operatorUrl, '/livez');
    assert.deepEqual([liveStatus, JSON.parse(live)], [200, { status: 'live', version, commit }]);
    assert.deepEqual(await get(server.operatorUrl, '/readyz'), [200, '{"status":"ready"}']);
    const [status, metrics] = await get(server.operatorUrl, '/metrics');
    assert.equal(status, 200);
    assert.ok(metrics.includes(`\nregistry_build_info{version="${version}",commit="${commit}"} 1\n`), metrics);
    assert.match(metrics, /^http_request_duration_seconds_count\{route="\/readyz",method="GET",status="200"\} 1$/m);
    for (const path of ['/livez', '/readyz', '/metrics']) {
      assert.equal((await get(server.publicUrl, path))[0], 404);
    }
  });

  test('serves the interface only on the public listener', async () => {
    for (const path of ['/platform/apps/v1/app_x', '/logos/logo_x']) {
      assert.equal((await get(server.operatorUrl, path))[0], 404);
    }
    assert.equal((await get(server.publicUrl, '/platform/apps/v1/app_x'))[0], 401);
  });

  test('allows cross-origin requests on the public listener, but not on the operator listener', async () => {
    const statusFor = async (url: string) =>
      (await fetch(`${url}/docs`, { headers: { origin: 'https://elsewhere.example' } })).status;
    assert.deepEqual([await statusFor(server.operatorUrl), await statusFor(server.publicUrl)], [403, 200]);
  });
});

test('a server on a newer schema logs that it cannot compare it, and serves', async () => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  await changeSchema(url, ['update registry_schema set version = 900']);
  const { log, operatorUrl, stop } = await serveHere(url);
  assert.equal((await get(operatorUrl, '/readyz'))[0], 200);
  await stop();
  const warnings = log.lines.filter(({ level }) => level === 40).map(({ msg, schemaVersion }) => [msg, schemaVersion]);
  assert.deepEqual(warnings, [['schema not compared: it is newer than this program', 900]]);
  await drop();
});

test('a server that migrates a database logs each step', async () => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  await interruptMigration(url);
  const { log, stop } = await serveHere(url);
  await stop();
  const steps = log.lines.filter(({ msg }) =>
    /^migrating the database: schema \d+, step (\d+) of \1: create trigger /.test(String(msg)),
  );
  assert.equal(steps.length, 1);
  await drop();
});

describe('a server that cannot start reports the cause', () => {
  test('when an address is in use, and leaves the other one free', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const free = await freePort();
    const variables = { PUBLIC_ADDRESS: `127.0.0.1:${free}`, OPERATOR_ADDRESS: `127.0.0.1:${port}` };
    await assert.rejects(serveHere(inMemory, variables), (error) => {
      assert.ok(error instanceof ListenError);
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}: EADDRINUSE`));
      return true;
    });
    const again = createServer().listen(free, '127.0.0.1');
    await once(again, 'listening');
    again.close();
    holder.close();
  });
});

test('a start with a key encrypts the secrets of webhooks, and one without the key ends with one message', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const { secret } = await createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/' });
  const key = randomBytes(32).toString('base64');
  const start = async (env: Record<string, string>) => {
    const log = new CapturedLog();
    const server = await serveHere(fixture.databaseUrl, env, log).catch((error: Error) => error);
    return { log, server };
  };
  const plainText = 'webhook secrets are stored as plain text: set SECRETS_KEY to encrypt them';
  const isPlainText = ({ log }: { log: CapturedLog }) => log.lines.some(({ msg }) => msg === plainText);
  for (const [env, isPlain] of [
    [{}, true],
    [{ SECRETS_KEY: key }, false],
  ] as const) {
    const started = await start(env);
    assert.ok(!(started.server instanceof Error));
    await started.server.stop();
    assert.equal(isPlainText(started), isPlain);
    assert.equal(started.log.text.includes(key), false);
  }
  assert.equal(JSON.stringify(await everything(fixture.registry.storage)).includes(secret), false);
  const { server } = await start({});
  assert.ok(server instanceof UnusableDatabase);
  assert.match(server.message, /^No key in SECRETS_KEY decrypts the secrets of these webhooks: webhook_/);
  await fixture.close();
});

/** A server with one app, on a database that outlives it. */
class Serving {
  readonly server: ServedHere;
  readonly #fixture: RegistryFixture;
  readonly #request: { appId: string; token: string };

  static async start(): Promise<Serving> {
    const fixture = await RegistryFixture.open(sqlite);
    const request = { appId: (await fixture.newApp()).id, token: (await fixture.newToken('developer')).token };
    return new Serving(await serveHere(fixture.databaseUrl), fixture, request);
  }

  private constructor(server: ServedHere, fixture: RegistryFixture, request: { appId: string; token: string }) {
    this.server = server;
    this.#fixture = fixture;
    this.#request = request;
  }

  /** Sends an update without its last byte. */
  async startUpdate(): Promise<{ finish: () => Promise<HttpResponse> }> {
    const body = '{"name":"Finished in time"}';
    const head = [
      `PATCH /developer/apps/v1/${this.#request.appId} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${this.#request.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    const socket: Socket = connect(portIn(this.server.publicUrl), '127.0.0.1')
      .setEncoding('latin1')
      .on('error', () => {});
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // "100 Continue": the server has started to process the request.
    await once(socket, 'data');
    socket.write(body.slice(0, -1));
    const finish = async () => {
      socket.write(body.slice(-1));
      const [response] = parseResponses(await text(socket));
      return response ?? assert.fail('no response');
    };
    return { finish };
  }

  /** The names of all apps after the server has stopped; removes the database. */
  async namesStored(): Promise<unknown[]> {
    const rows = await execute(this.#fixture.registry.storage.reader, 'select name from apps');
    await this.#fixture.close();
    return rows.map(({ name }) => name);
  }
}

function portIn(url: string): number {
  return Number(new URL(url).port);
}

async function get(url: string, path: string): Promise<[status: number, body: string]> {
  const response = await fetch(url + path);
  return [response.status, await response.text()];
}
