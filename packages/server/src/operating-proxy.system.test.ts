import assert from 'node:assert/strict';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { OperatingPage, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { Nginx } from '@appregistrar/testkit/programs/nginx';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { ids, OperatedRegistry } from '../test/pages/operated-registry.ts';
import { openStorage } from './storage/open-storage.ts';

const section = (await OperatingPage.read()).section('Configure nginx');
const [variables = ''] = section.blocks('ini');
const [configuration = ''] = section.blocks('nginx');
const path = `/platform/apps/v1/${ids.APP}`;
/** Far more than all socket buffers on the way can hold. */
const longList = 200_000;

let longPath: string;
let registry: OperatedRegistry;
let server: Program;
let nginx: Nginx;
let token: { authorization: string };
before(async () => {
  registry = await OperatedRegistry.open(sqlite);
  token = bearer(registry.tokens.platform);
  longPath = `/platform/apps/v1/${await addLongApp(registry)}`;
  server = new Program([linkedLauncher, 'serve'], {
    env: {
      ...variablesOf(variables),
      // The launcher is replaced by the server: signals reach it directly.
      PATH: [dirname(linkedLauncher), systemPath].join(delimiter),
      DATABASE_URL: registry.cli.databaseUrl,
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: '127.0.0.1:0',
    },
  });
  const port = await server.until((log) => /"public":"127\.0\.0\.1:(\d+)"/.exec(log)?.[1]);
  nginx = await Nginx.start(configuration, Number(port));
});
after(async () => {
  server.kill('SIGKILL');
  await server.ended;
  await nginx.stop();
  await registry.close();
});

test('an app can be read by https, and URLs in responses are those of the proxy', async () => {
  assert.match((await nginx.send({ path, headers: token })).text, /"name":"Invoice Sync"/);
  const { problem } = await nginx.send({ path });
  assert.equal(problem.type, 'https://apps.example.com/docs#token_missing');
});

test('the log names the client that the proxy saw, not the one that the client claims to be', async () => {
  const claimed = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http', 'x-request-id': 'mine' };
  const { status, headers } = await nginx.send({ path, headers: { ...token, ...claimed }, from: '127.0.0.2' });
  assert.equal(status, 200);
  const id = headers['x-request-id'];
  assert.match(id ?? '', /^[0-9a-f-]{36}$/);
  const line = await server.until((log) => log.split('\n').find((line) => line.includes(`"requestId":"${id}"`)));
  assert.equal(JSON.parse(line).client, '127.0.0.2');
});

test('a token sent over plain HTTP is refused, and nothing is redirected', async () => {
  const response = await nginx.send({ path, headers: { ...token, 'x-forwarded-proto': 'https' }, scheme: 'http' });
  assert.equal(response.refusal, '403 https_required');
});

test('an ETag is confirmed, with gzip and without', async () => {
  for (const coding of ['gzip', 'identity']) {
    const headers = { ...token, 'accept-encoding': coding };
    const { etag, headers: responseHeaders } = await nginx.send({ path: longPath, method: 'HEAD', headers });
    assert.equal(responseHeaders['content-encoding'] ?? 'identity', coding);
    const again = await nginx.send({ path: longPath, headers: { ...headers, 'if-none-match': etag } });
    assert.deepEqual([again.status, again.etag], [304, etag]);
  }
});

test('no client gets a WebSocket', async () => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAA',
  };
  assert.equal((await nginx.send({ path, headers: { ...token, ...upgrade } })).status, 200);
});

test('oversized requests are refused by the registry, except a body of more than 1 MB', async () => {
  const large = await nginx.send({ path, headers: { ...token, 'x-large': 'x'.repeat(17_000) } });
  assert.equal(large.refusal, '431 headers_too_large');
  const update = (bytes: number) =>
    nginx.send({
      path: `/developer/apps/v1/${ids.APP}`,
      method: 'PATCH',
      headers: { ...bearer(registry.tokens.developer), 'content-type': 'application/json' },
      body: ' '.repeat(bytes),
    });
  assert.equal((await update(1_000_000)).refusal, '413 body_too_large');
  const refusedByNginx = await update(1_100_000);
  assert.equal(refusedByNginx.status, 413);
  assert.equal(refusedByNginx.headers['content-type'], 'text/html');
});

test('a long list streams without buffering, and one that breaks off never ends as complete', async () => {
  const slow = await nginx.open({ path: longPath, headers: token });
  await once(slow, 'readable');
  // While one client reads all of it, the proxy would have time to buffer the rest for this one.
  const complete = await nginx.send({ path: longPath, headers: token });
  assert.equal(JSON.parse(complete.text).installations.length, longList);

  server.kill('SIGKILL');
  await server.ended;
  await assert.rejects(slow.toArray(), { code: 'ECONNRESET' });
  const without = await nginx.send({ path, headers: token });
  assert.deepEqual([without.status, without.headers['content-type']], [502, 'text/html']);
});

async function addLongApp({ cli }: OperatedRegistry): Promise<string> {
  const { id } = await cli.done<{ id: string }>('app', 'create', '--developer', ids.DEVELOPER, '--name', 'Long list');
  const storage = await openStorage(cli.databaseUrl);
  await addInstallations(storage, { appId: id, count: longList, userId: ids.SUCCESSOR });
  await storage.close();
  return id;
}
