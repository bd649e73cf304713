import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { inject } from '../../../test/http/inject.ts';

const origin = 'https://console.example.com';
const preflight = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' };
const exposed = 'ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed';

describe('with a listed origin', () => {
  let http: HttpFixture;
  let path: string;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(sqlite, { corsOrigins: [origin, 'http://localhost:5173'] });
    appId = (await http.data.newApp()).id;
    path = `/developer/apps/v1/${appId}`;
  });
  after(() => http.close());

  test('a preflight response allows the method of the path and exactly the fields that the page requests', async () => {
    const names = 'authorization,baggage,cache-control,content-type,x-requested-with,x-stainless-lang';
    const response = await inject(http.listener, {
      method: 'OPTIONS',
      url: path,
      headers: { origin, ...preflight, 'access-control-request-headers': names },
    });
    assert.equal(response.statusCode, 204);
    assert.equal(response.body, '');
    assert.deepEqual(corsFields(response.headers), {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'access-control-allow-methods': 'PATCH',
      'access-control-allow-headers': names,
      'access-control-max-age': '7200',
      vary: 'Access-Control-Request-Headers, Origin',
    });
  });

  test('a preflight response allows no field if the page requests none, or what is no name', async () => {
    for (const names of [undefined, '', 'a b', 'authorization,,"x"', ',']) {
      const { headers } = await inject(http.listener, {
        method: 'OPTIONS',
        url: '/platform/apps/v1/app_x',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'GET',
          ...(names !== undefined && { 'access-control-request-headers': names }),
        },
      });
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD');
      assert.equal(headers['access-control-allow-origin'], 'http://localhost:5173');
      assert.equal(headers['access-control-allow-headers'], undefined);
    }
  });

  test('responses allow the page to read them', async () => {
    for (const response of await responsesTo({ origin })) {
      assert.deepEqual(corsFields(response.headers), {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposed,
        vary: response.headers.vary,
      });
      assert.match(response.headers.vary ?? '', /(^|, )Origin$/);
    }
  });

  test('responses to any other origin, or none, have Vary and no other field', async () => {
    const others = [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      'http://console.example.com',
      `${origin}/`,
    ];
    for (const headers of [{}, ...others.map((other) => ({ origin: other }))]) {
      for (const response of await responsesTo(headers)) {
        assert.deepEqual(Object.keys(corsFields(response.headers)), ['vary']);
        assert.match(response.headers.vary ?? '', /(^|, )Origin$/);
      }
    }
  });

  test('OPTIONS lists nothing for pages of any other origin, and without a preflight', async () => {
    const others: Record<string, string>[] = [
      { origin: 'https://evil.example', ...preflight },
      preflight,
      { origin },
      {},
    ];
    for (const headers of others) {
      const response = await http.send({ method: 'OPTIONS', path, headers });
      assert.deepEqual([response.status, response.headers.allow], [204, 'PATCH, OPTIONS']);
      assert.equal(response.headers['access-control-allow-methods'], undefined);
    }
  });

  test('a preflight request for an unknown path gets 404', async () => {
    const response = await http.send({ method: 'OPTIONS', path: '/nothing', headers: { origin, ...preflight } });
    assert.equal(response.refusal, '404 path_not_found');
  });

  /** Successful responses, and problems of every kind. */
  async function responsesTo(headers: Record<string, string>): Promise<HttpResponse[]> {
    const read = await http.getApp(appId, headers);
    return [
      read,
      await http.getApp(appId, { ...headers, 'if-none-match': read.etag }),
      await http.updateApp(appId, {}, headers),
      await http.updateApp(appId, { name: null }, headers),
      await http.getApp(appId, { ...headers, authorization: 'Bearer nonsense' }),
      await http.send({ method: 'GET', path: '/docs', headers }),
      await http.send({ method: 'POST', path, headers }),
      await http.send({ method: 'GET', path: '/nothing', headers }),
      await http.send({ method: 'GET', path: '/%zz', headers }),
    ];
  }
});

test('without a listed origin no response has a CORS field, that to OPTIONS included', async () => {
  const http = await HttpFixture.open(sqlite);
  const { id } = await http.data.newApp();
  const { headers } = await http.updateApp(id, {}, { origin });
  assert.deepEqual(corsFields(headers), {});
  const options = { method: 'OPTIONS', path: `/developer/apps/v1/${id}`, headers: { origin, ...preflight } };
  assert.deepEqual(corsFields((await http.send(options)).headers), {});
  await http.close();
});

function corsFields(headers: object): object {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}
