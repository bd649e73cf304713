import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { forEachEngine, sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, runHere } from '@appregistrar/testkit/programs/command-line';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { freePort } from '@appregistrar/testkit/system/free-port';
import type { AppRegistryEvent, UnknownEvent } from '../../../../client/src/index.ts';
import { webhookHandler } from '../../../../client/src/webhook/handler/index.ts';
import { readConfig } from '../../config/config.ts';
import { until } from '../../events/testing/hook-receiver.ts';
import { startServer } from '../../serve.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

forEachEngine((engine) => {
  let commandLine: CommandLine;
  const listening: Program[] = [];
  before(async () => {
    commandLine = await CommandLine.open(engine);
  });
  after(async () => {
    for (const program of listening) program.kill('SIGKILL');
    await Promise.all(listening.map(({ ended }) => ended));
    await commandLine.close();
  });

  /** Starts the command, and resolves once it forwards. */
  async function listen(url: string, ...options: string[]): Promise<Program> {
    const args = ['webhook', 'listen', '--forward-to', url, '--database-url', commandLine.databaseUrl, ...options];
    const program = new Program([linkedLauncher, ...args]);
    listening.push(program);
    await program.until((stdout) => /whsec_\S+/.exec(stdout));
    return program;
  }
  const createDeveloper = async () =>
    (await commandLine.done<{ userId: string }>('developer', 'create', '--email', 'ada@example.com')).userId;
  const createApp = async (developerId: string) =>
    (await commandLine.done<{ id: string }>('app', 'create', '--developer', developerId, '--name', `App ${Date.now()}`))
      .id;

  test('every new event arrives in order, signed with the secret that was printed, and its line has the status', async () => {
    const port = await freePort();
    const program = await listen(`http://localhost:${port}/hook`);
    const [printed = ''] = /whsec_\S+/.exec(program.stdout) ?? [];
    const hook = await ClientReceiver.start({ secret: printed, port });
    const developerId = await createDeveloper();
    const appId = await createApp(developerId);
    await until(() => hook.events.length === 2);
    assert.deepEqual(
      hook.events.map(({ type, subjectId }) => [type, subjectId]),
      [
        ['developer.created', developerId],
        ['app.created', appId],
      ],
    );
    const [event = assert.fail()] = hook.events.slice(1);
    const line = await program.until((stdout) => new RegExp(`^.*${event.id}.*$`, 'm').exec(stdout)?.[0]);
    assert.equal(line, `${event.timestamp}  app.created  ${appId}  ${event.id}  204`);
    await hook.close();
    program.kill('SIGINT');
    assert.deepEqual({ ...(await program.ended), stdout: '' }, { status: 0, signal: null, stdout: '', stderr: '' });
  });

  test('only events of the given types are forwarded, with a given secret, and --json prints a document in each line', async () => {
    const hook = await ClientReceiver.start({ secret });
    const program = await listen(hook.url, '--secret', secret, '--type', 'app.created', '--json');
    const appId = await createApp(await createDeveloper());
    await program.until((stdout) => stdout.split('\n')[2] === '' || null);
    const [started, forwarded] = program.stdout.split('\n');
    assert.deepEqual(JSON.parse(started ?? ''), { url: hook.url, secret });
    const [event] = hook.events;
    const expected = { eventId: event?.id, type: 'app.created', subjectId: appId, status: 204, response: '' };
    assert.deepEqual(JSON.parse(forwarded ?? ''), expected);
    assert.equal(hook.events.length, 1);
    await hook.close();
    program.kill('SIGTERM');
    assert.equal((await program.ended).status, 0);
  });

  test('a receiver that is down, refuses or wants another secret is shown, and the next events are forwarded', async () => {
    const port = await freePort();
    const program = await listen(`http://127.0.0.1:${port}/`, '--secret', secret, '--type', 'developer.created');
    const lineOf = async (id: string) => program.until((stdout) => new RegExp(`^.*${id}.*$`, 'm').exec(stdout)?.[0]);
    assert.match(await lineOf(await createDeveloper()), / {2}The connection failed: ECONNREFUSED\.$/);
    const other = await ClientReceiver.start({ secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', port });
    assert.match(await lineOf(await createDeveloper()), / {2}400$/);
    await other.close();
    const hook = await ClientReceiver.start({ secret, port });
    assert.match(await lineOf(await createDeveloper()), / {2}204$/);
    await hook.close();
  });
});

test('through a server, with --url, events arrive too, also after it was away', async (context) => {
  const commandLine = await CommandLine.open(sqlite);
  const address = `127.0.0.1:${await freePort()}`;
  const start = () => {
    const addresses = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: address };
    return startServer(readConfig({ DATABASE_URL: commandLine.databaseUrl, ...addresses }), new CapturedLog().logger);
  };
  let server = await start();
  const hook = await ClientReceiver.start({ secret });
  const { token } = await commandLine.done<{ token: string }>(
    ...['token', 'issue', '--kind', 'operator', '--scope', 'read'],
  );
  const program = new Program(
    [linkedLauncher, '--url', `http://${address}`, 'webhook', 'listen', '--forward-to', hook.url, '--secret', secret],
    { env: { APP_REGISTRY_TOKEN: token } },
  );
  context.after(async () => {
    program.kill('SIGKILL');
    await program.ended;
    await server.stop();
    await hook.close();
    await commandLine.close();
  });
  await program.until((stdout) => /whsec_\S+/.exec(stdout));
  await commandLine.done('developer', 'create', '--email', 'ada@example.com');
  await until(() => hook.events.length === 1);
  await server.stop();
  await until(() => /^Cannot read events, retrying: Cannot connect/m.test(program.stderr));
  await commandLine.done('developer', 'create', '--email', 'grace@example.com');
  server = await start();
  await until(() => hook.events.length === 2);
  program.kill('SIGINT');
  assert.equal((await program.ended).status, 0);
});

test('a URL or a secret that cannot be used is refused before anything is read', async () => {
  const wrong = [
    ['--forward-to', 'localhost:3000'],
    ['--forward-to', 'ftp://localhost/'],
    ['--forward-to', 'http://localhost/', '--secret', 'secret'],
    ['--forward-to', 'http://localhost/', '--secret', 'whsec_c2hvcnQ='],
    [],
  ];
  for (const args of wrong) {
    const { status, stderr } = await runHere('webhook', 'listen', ...args);
    assert.equal(status, 2, stderr);
  }
});

/** A receiver that verifies and dispatches with the client. */
class ClientReceiver {
  readonly events: (AppRegistryEvent | UnknownEvent)[] = [];
  readonly #server: Server;

  static async start({ secret: expected, port = 0 }: { secret: string; port?: number }): Promise<ClientReceiver> {
    const receiver = new ClientReceiver(expected);
    // As the name localhost is, on both families.
    receiver.#server.listen(port, port === 0 ? '127.0.0.1' : undefined);
    await once(receiver.#server, 'listening');
    return receiver;
  }

  private constructor(expected: string) {
    const handler = webhookHandler({
      secret: expected,
      on: {},
      other: (event) => this.events.push(event),
      onError: () => {},
    });
    this.#server = createServer((request, response) => void handler(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
