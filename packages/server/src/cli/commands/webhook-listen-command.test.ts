import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, RunningCommand, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';
import { freePort } from '@appregistrar/testkit/system/free-port';
import type { AppRegistryEvent, UnknownEvent } from '../../../../client/src/index.ts';
import { webhookHandler } from '../../../../client/src/webhook/handler/index.ts';
import { type ServedHere, serveHere } from '../../../test/programs/serve-here.ts';
import type { Event } from '../../features/events/event.ts';
import { forwardEvents, type ReadFeed } from '../../features/webhooks/delivery/forward-events.ts';
import { Failure } from '../../kernel/failure.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('webhook listen', () => {
  let cli: CommandLine;
  let registry: ServedHere;
  let variables: Record<string, string>;
  before(async () => {
    cli = await CommandLine.open(sqlite);
    registry = await serveHere(cli.databaseUrl);
    const { token } = await cli.done<{ token: string }>('token', 'create', '--kind', 'operator', '--scope', 'admin');
    variables = { APP_REGISTRY_URL: registry.operatorUrl, APP_REGISTRY_TOKEN: token };
  });
  after(async () => {
    await registry.stop();
    await cli.close();
  });

  /** Starts the command, and resolves once it forwards. */
  const listen = (url: string, ...options: string[]) =>
    withVariables(variables, async () => {
      const command = new RunningCommand('webhook', 'listen', '--forward-to', url, ...options);
      await command.until(/whsec_\S+/);
      return command;
    });
  /** The server sees the changes of its own process immediately. */
  async function create(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await withVariables(variables, () => runHere(...args, '--json'));
    assert.equal(status, 0, stderr);
    const { id, userId } = JSON.parse(stdout);
    return id ?? userId;
  }
  const createDeveloper = () => create('developer', 'create', '--email', 'ada@example.com');

  test('forwards every new event in order, signed with the secret that it prints, and prints the status', async () => {
    const port = await freePort();
    const command = await listen(`http://localhost:${port}/hook`);
    const [printed = ''] = await command.until(/whsec_\S+/);
    const hook = await ClientReceiver.start({ secret: printed, port });
    const developerId = await createDeveloper();
    const appId = await create('app', 'create', '--developer', developerId, '--name', 'Invoice Sync');
    const [line] = await command.until(/^.*app\.created.*$/m);
    assert.deepEqual(
      hook.events.map(({ type, subjectId }) => [type, subjectId]),
      [
        ['developer.created', developerId],
        ['app.created', appId],
      ],
    );
    const [, event = assert.fail()] = hook.events;
    assert.equal(line, `${event.timestamp}  app.created  ${appId}  ${event.id}  204`);
    await hook.close();
    const { status, stderr } = await command.end();
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  });

  test('forwards only the given types, with a given secret, and prints a document in each line with --json', async () => {
    const hook = await ClientReceiver.start({ secret });
    const command = await listen(hook.url, '--secret', secret, '--type', 'app.created', '--json');
    const appId = await create('app', 'create', '--developer', await createDeveloper(), '--name', 'Ledger Sync');
    await command.until(/\n.*\n/);
    const { status, stdout } = await command.end();
    const [started = '', forwarded = '', ...others] = stdout.split('\n');
    assert.deepEqual([status, JSON.parse(started), others], [0, { url: hook.url, secret }, ['']]);
    const [event] = hook.events;
    const expected = { eventId: event?.id, type: 'app.created', subjectId: appId, status: 204, response: '' };
    assert.deepEqual(JSON.parse(forwarded), expected);
    assert.equal(hook.events.length, 1);
    await hook.close();
  });

  test('shows a receiver that is down, refuses or wants another secret, and forwards the next events', async () => {
    const port = await freePort();
    const command = await listen(`http://127.0.0.1:${port}/`, '--secret', secret, '--type', 'developer.created');
    const lineOf = async (id: string) => (await command.until(new RegExp(`^.*${id}.*$`, 'm')))[0];
    assert.match(await lineOf(await createDeveloper()), / {2}The connection failed: ECONNREFUSED\.$/);
    for (const [expected, status] of [
      ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 400],
      [secret, 204],
    ] as const) {
      const hook = await ClientReceiver.start({ secret: expected, port });
      assert.match(await lineOf(await createDeveloper()), new RegExp(` {2}${status}$`));
      await hook.close();
    }
    await command.end();
  });

  test('reads again where a feed could not be read, skips no event, and ends with a refusal', async () => {
    const hook = await ClientReceiver.start({ secret });
    const event = { id: 'event_1', type: 'app.created', subjectId: 'app_1', timestamp: '2026-03-01T09:30:00.000Z' };
    const page = (items: object[], nextCursor: string) => () => ({ items: items as Event[], nextCursor });
    const fail = (error: Error) => () => {
      throw error;
    };
    const refusal = new Failure('cursor_expired', 'The cursor has expired.');
    const pages = [page([], 'start'), fail(new Error('away')), page([event], 'next'), fail(refusal)];
    const read: string[] = [];
    const readFeed: ReadFeed = async ({ cursor = 'now' }) => {
      read.push(cursor);
      return (pages.shift() ?? assert.fail())();
    };
    const unavailable: unknown[] = [];
    const forwarding = forwardEvents(readFeed, {
      ...{ url: hook.url, secret, types: undefined, userAgent: 'test', now: Date.now, pauseMs: 0 },
      signal: new AbortController().signal,
      onStart: () => {},
      onForwarded: () => {},
      isRefusal: (error) => error === refusal,
      onUnavailable: (error) => unavailable.push(error),
    });
    await assert.rejects(forwarding, refusal);
    assert.deepEqual([read, unavailable], [['now', 'start', 'start', 'next'], [new Error('away')]]);
    assert.deepEqual(
      hook.events.map(({ id }) => id),
      ['event_1'],
    );
    await hook.close();
  });
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
