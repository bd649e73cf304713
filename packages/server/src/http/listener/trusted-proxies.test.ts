import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { TrustedProxies } from './request-header.ts';

const forwarded = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'http' };

describe('behind a trusted proxy', () => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(sqlite, { trustedProxies: ['127.0.0.0/8', '10.0.0.1'] });
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  test('an unencrypted token is rejected before any other problem, and changes nothing', async () => {
    const before = await http.stateOf(appId);
    const responses = [
      await http.updateApp(appId, { name: 'Overheard' }, forwarded),
      await http.getApp(appId, forwarded),
      await http.getApp(appId, { 'x-forwarded-proto': 'https, http' }),
      await http.getApp(appId, { ...forwarded, authorization: 'Bearer nonsense' }),
    ];
    for (const response of responses) assert.equal(response.refusal, '403 https_required');
    assert.deepEqual(await http.stateOf(appId), before);
  });

  test('an unknown path takes precedence over it, and it over a method that the path does not take', async () => {
    const headers = { ...bearer(http.tokens.platform), ...forwarded };
    const unknown = await http.send({ method: 'POST', path: '/nothing', headers });
    const known = await http.send({ method: 'POST', path: `/platform/apps/v1/${appId}`, headers });
    assert.deepEqual([unknown.refusal, known.refusal], ['404 path_not_found', '403 https_required']);
  });

  test('requests by https, without a token, or without X-Forwarded-Proto are served', async () => {
    for (const proto of ['https', 'HTTPS', 'http, https']) {
      assert.equal((await http.getApp(appId, { 'x-forwarded-proto': proto })).status, 200);
    }
    assert.equal((await http.getApp(appId)).status, 200);
    assert.equal((await http.send({ method: 'GET', path: '/openapi.json', headers: forwarded })).status, 200);
  });

  test('the log contains the client address from the nearest trusted proxy', async () => {
    const https = { 'x-forwarded-proto': 'https' };
    assert.equal(clientOf(await http.getApp(appId)), '127.0.0.1');
    for (const [field, client] of [
      ['198.51.100.7', '198.51.100.7'],
      ['203.0.113.1, 198.51.100.7', '198.51.100.7'],
      ['198.51.100.7, 10.0.0.1', '198.51.100.7'],
      ['2001:db8::7', '2001:db8::7'],
      ['198.51.100.7:4711', '198.51.100.7'],
      ['203.0.113.1, 198.51.100.7:4711, 10.0.0.1:80', '198.51.100.7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
      ['ada@example.com', null],
      ['[198.51.100.7', null],
      ['198.51.100.7:http', null],
    ] as const) {
      assert.equal(clientOf(await http.getApp(appId, { ...https, 'x-forwarded-for': field })), client, field);
    }
  });

  function clientOf({ headers }: HttpResponse): unknown {
    return http.log.requests().get(headers['x-request-id'])?.[0]?.client;
  }
});

for (const trustedProxies of [[], ['10.0.0.0/8', '::1']]) {
  test(`forwarded fields of an untrusted sender are ignored with ${trustedProxies.length} trusted proxies`, async () => {
    const http = await HttpFixture.open(sqlite, { trustedProxies });
    const { id } = await http.data.newApp();
    const { status, headers } = await http.getApp(id, forwarded);
    assert.equal(status, 200);
    assert.equal(http.log.requests().get(headers['x-request-id'])?.[0]?.client, '127.0.0.1');
    await http.close();
  });
}

test('an address is trusted in every notation', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::1']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', 'fd00::1', '::1']) {
    assert.equal(proxies.trusts(address), true, address);
  }
  for (const address of ['11.0.0.1', '::ffff:11.0.0.1', '192.0.2.2', 'fe80::1', '::2', 'localhost', '']) {
    assert.equal(proxies.trusts(address), false, address);
  }
  assert.equal(proxies.trusts(undefined), false);
});
