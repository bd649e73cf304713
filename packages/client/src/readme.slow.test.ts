import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { signRequest } from '../../server/src/features/webhooks/delivery/receiver.ts';
import type { EventOf } from './event.ts';
import { clientFolder, InstalledClient } from './testing/installed-client.ts';
import { ServedRegistry } from './testing/served-registry.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';
const event: EventOf<'app.updated'> = {
  id: 'event_01jq3w3k1hf5tr8z0v6n2m9c4d',
  type: 'app.updated',
  timestamp: '2026-11-21T12:00:00.000Z',
  actor: 'command-line:demo',
  appId: 'app_01jq3w7q5nf9yr2d4z0s6r3g8h',
  subjectId: 'app_01jq3w7q5nf9yr2d4z0s6r3g8h',
  data: { before: { name: 'Old' }, after: { name: 'Zürich 🚋' }, changedSinceApproval: ['name'] },
};

let client: InstalledClient;
let clientCode: string;
before(async () => {
  client = await InstalledClient.create();
  const readme = await readFile(join(clientFolder, 'README.md'), 'utf8');
  const [clientPart = '', webhookPart = ''] = readme.split('## Receive webhooks');
  clientCode = blocks(clientPart).join('\n');
  const [onNode = '', onExpress = '', onFetch = '', tested = '', verified = ''] = blocks(webhookPart);
  assert.match(onNode, /^server\.listen\(3000\);$/m);
  await client.link('express');
  await client.write('node.mts', onNode.replace('server.listen(3000);', 'export { server };'));
  await client.write('express.mts', `${onExpress}export { app };\n`);
  await client.write('fetch.mts', onFetch);
  await client.write('tested.mts', tested);
  await client.write('verified.mts', verified);
});
after(() => client.remove());

test('the client examples work as described', async (t) => {
  const registry = await ServedRegistry.start();
  t.after(() => registry.stop());
  const app = await registry.data.newApp({ status: 'APPROVED', listingInfo: { longDescription: 'Long' } });
  await registry.data.install(app);
  const { token } = await registry.data.newToken('operator');
  Object.assign(process.env, {
    DEVELOPER_TOKEN: registry.tokens.developer,
    PLATFORM_TOKEN: registry.tokens.platform,
    OPERATOR_TOKEN: token,
  });
  const code = clientCode
    .replaceAll('https://apps.example.com', registry.baseUrl)
    .replaceAll('https://ops.example.com', registry.operatorUrl.replace('/operator/v1', ''))
    .replaceAll('app_01jq3v9y6ae0xv5m6b7k8c9d0e', app.id);
  const log = captureConsole(t);
  await client.write('client.mts', code);
  await client.check('client.mts', '--module', 'nodenext', '--types', 'node');
  await client.load('client.mts');

  const now = await registry.client().developer.apps.current(app.id);
  assert.equal(now.name, 'Invoice Sync');
  assert.deepEqual(now.listingInfo, {
    backgroundColor: '#0b5fff',
    shortDescription: 'Invoice Sync keeps invoices and ledgers in step.',
  });
  assert.deepEqual(log.slice(1), [
    ['Invoice Sync', registry.data.developer.email, 1],
    ['APPROVED'],
    [1],
    ['as cached', log[4]?.[1]],
    ['object'],
    ['/name', 'too_short', log[6]?.[2]],
    ['/oauthInfo/loginUrl', 'invalid_format', log[7]?.[2]],
    [true],
    ['Invoice Sync'],
    ['http://127.0.0.1:0', 'http://127.0.0.1:8090'],
    ['Invoice Sync', 1],
    [1, 1],
    [false, 'Invoice Sync', 'following'],
  ]);
});

test('the receivers with a handler accept what the registry sends, and nothing else', async (t) => {
  const log = captureConsole(t);
  process.env.WEBHOOK_SECRET = secret;
  await client.check(['node.mts', 'express.mts', 'fetch.mts'], '--module', 'nodenext', '--types', 'node');
  const { server } = (await client.load('node.mts')) as { server: Server };
  const { app } = (await client.load('express.mts')) as { app: RequestListener };
  const { default: receiver } = (await client.load('fetch.mts')) as { default: { fetch: typeof fetch } };
  const [onNode, onExpress] = [await listen(t, server), `${await listen(t, createServer(app))}hooks`];
  for (const [url, send] of [
    [onNode, fetch],
    [onExpress, fetch],
    ['https://hooks.example.com/', receiver.fetch],
  ] as const) {
    const statusOf = async (options: Parameters<typeof request>[1]) => (await send(request(url, options))).status;
    assert.equal(await statusOf({}), 204);
    assert.equal(await statusOf({ secrets: [otherSecret, secret] }), 204);
    assert.equal(await statusOf({ secrets: [otherSecret] }), 400);
    assert.equal(await statusOf({ at: Date.now() - 600_000 }), 400);
    assert.equal((await send(new Request(url, { method: 'POST', body: JSON.stringify(event) }))).status, 400);
  }
  assert.deepEqual(
    log.filter(([first]) => first !== undefined),
    [[event.subjectId, ['name']]],
  );
});

test('the test of a receiver passes', async (t) => {
  const log = captureConsole(t);
  await client.check('tested.mts', '--module', 'nodenext', '--types', 'node');
  await client.load('tested.mts');
  assert.deepEqual(log, [[204, ['app_01jq3v9y6ae0xv5m6b7k8c9d0e']]]);
});

test('the receiver without the handler does the same, and reports a wrong configuration', async (t) => {
  const log = captureConsole(t);
  await client.check('verified.mts', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '');
  const { receive } = (await client.load('verified.mts')) as Receiving;
  const url = 'https://hooks.example.com/';
  assert.equal((await receive(request(url), secret)).status, 204);
  assert.deepEqual(log, [[event.type, event.subjectId]]);
  assert.equal((await receive(request(url), otherSecret)).status, 400);
  assert.equal((await receive(request(url), 'no secret')).status, 500);
});

interface Receiving {
  receive: (request: Request, secret: string) => Promise<Response>;
}

/** A delivery as the registry signs and sends it. */
function request(url: string, { secrets = [secret], at = Date.now() } = {}): Request {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...signRequest({ id: event.id, body, secrets }, at) };
  return new Request(url, { method: 'POST', headers, body });
}

/** Starts a server, and returns its URL. */
async function listen(t: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function blocks(page: string): string[] {
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
}

/** Captures what is written to the console. */
function captureConsole(t: TestContext): unknown[][] {
  const log: unknown[][] = [];
  t.mock.method(console, 'log', (...line: unknown[]) => void log.push(line));
  t.mock.method(console, 'error', (...line: unknown[]) => void (line[0] instanceof Error || log.push(line)));
  return log;
}
