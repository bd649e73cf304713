import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { apiRequest } from '@appregistrar/testkit/http/http-request';
import Type from 'typebox';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { operatorOperations } from '../../features/operations.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';

let operator: OperatorFixture;
let appId: string;
before(async () => {
  operator = await OperatorFixture.open(sqlite);
  for (let made = 0; made < 5; made += 1) appId = (await operator.data.newApp()).id;
});
after(() => operator.close());

const request = (method: string, path: string, accepted?: string, body?: object) =>
  operator.send(
    apiRequest(operator.tokens.admin.token, {
      ...{ method, path, body },
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    }),
  );
const get = (path: string, accepted?: string) => request('GET', path, accepted);

test('JSON, problems, metrics, pages and documents are sent in the best coding that the client accepts', async () => {
  const strange = `/operator/v1/apps?${Array.from({ length: 30 }, (_, at) => `strange${at}=1`).join('&')}`;
  for (const path of ['/operator/v1/apps', strange, '/metrics', '/docs', '/openapi.json']) {
    const plain = await get(path);
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding'], path);
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['gzip, identity;q=0', 'gzip'],
    ] as const) {
      const { status, headers, text } = await get(path, accepted);
      assert.deepEqual([status, headers['content-encoding'], headers.vary], [plain.status, coding, 'Accept-Encoding']);
      if (path !== '/metrics' && path !== strange) assert.equal(text, plain.text, path);
    }
  }
});

test('a small body is sent as it is, unless the client refuses that', async () => {
  const path = `/operator/v1/caller`;
  assert.equal((await get(path, 'br')).headers['content-encoding'], undefined);
  assert.equal((await get(path, 'br, identity;q=0')).headers['content-encoding'], 'br');
});

test('HEAD has the fields of GET', async () => {
  for (const path of ['/operator/v1/apps', '/openapi.json', '/docs']) {
    for (const accepted of ['br', 'identity']) {
      const [whole, head] = [await get(path, accepted), await request('HEAD', path, accepted)];
      assert.equal(head.text, '');
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']) {
        assert.equal(head.headers[name], whole.headers[name], `${name} of ${path}`);
      }
    }
  }
});

test('the ETag of a revision does not depend on the coding, as a change names it', async () => {
  const path = `/operator/v1/apps/${appId}`;
  const { headers } = await get(path, 'br, identity;q=0');
  assert.equal(headers['content-encoding'], 'br');
  assert.equal(headers.etag, (await get(path)).headers.etag);
});

test('a stream of events is not held back to be compressed', async () => {
  const { status, headers } = await get('/operator/v1/events/stream', 'br, gzip, identity;q=0');
  assert.deepEqual([status, headers['content-encoding']], [200, undefined]);
});

test('a response with a secret is never compressed', async () => {
  const body = { url: 'https://hooks.example.com/', name: 'Long'.repeat(20), types: ['app.approved'] };
  const path = '/operator/v1/webhooks';
  const { status, headers } = await request('POST', path, 'br, identity;q=0', body);
  assert.deepEqual([status, headers['content-encoding']], [201, undefined]);
  for (const { path, response, returnsSecret } of Object.values<OperatorOperation>(operatorOperations)) {
    const names = Type.IsObject(response) ? Object.keys(response.properties) : [];
    assert.equal(returnsSecret ?? false, names.includes('token') || names.includes('secret'), path);
  }
});
