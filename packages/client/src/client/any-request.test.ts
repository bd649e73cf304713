import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fixRandom } from '../testing/fix-random.ts';
import { json, reply, reset, ScriptedServer } from '../testing/scripted-server.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import { NotFoundError, UnprocessableContentError } from './errors.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start();
});
after(() => registry.stop());

test('any request has the result and the errors of the operations', async () => {
  const { id } = await registry.data.newApp();
  const path = `/developer/apps/v1/${id}`;
  const { data, response } = await registry
    .client()
    .request('PATCH', path, { body: { name: 'By path' } })
    .withResponse();
  assert.equal((data as { name: string }).name, 'By path');
  assert.ok(response.etag && response.requestId);
  const invalid = registry.client().request('PATCH', path, { body: { name: '' } });
  await assert.rejects(async () => invalid, UnprocessableContentError);
  const unknown = registry.platformClient().request('GET', '/platform/apps/v1/app_unknown');
  await assert.rejects(async () => unknown, NotFoundError);
});

test('a request of any method is sent again, and what changes something with the same Idempotency-Key', async (t) => {
  fixRandom(t, 0);
  for (const method of ['GET', 'DELETE', 'POST', 'PATCH'] as const) {
    const server = await ScriptedServer.start(t, reset, json(200, { done: true }));
    const client = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl });
    const query = { limit: 5, cursor: undefined, all: true };
    assert.deepEqual(await client.request(method, '/new', { query }), { done: true });
    assert.deepEqual(
      server.received.map(({ path }) => path),
      ['/new?limit=5&all=true', '/new?limit=5&all=true'],
    );
    const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
    assert.equal(first, second);
    assert.equal(first !== undefined, method === 'POST' || method === 'PATCH');
  }
});

test('a path without its slash is one of the same registry, which alone gets the token', async (t) => {
  const server = await ScriptedServer.start(t, json(200, {}));
  const client = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl, maxRetries: 0 });
  for (const path of ['new', '.example/new', '@127.0.0.1:1/new', '1/new']) {
    await client.request('GET', path);
    assert.equal(server.received.at(-1)?.path, `/${path}`);
  }
});

test('a response without content has no data', async (t) => {
  const server = await ScriptedServer.start(t, reply(204, ''));
  const client = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl });
  assert.equal(await client.request('DELETE', '/new'), undefined);
});
