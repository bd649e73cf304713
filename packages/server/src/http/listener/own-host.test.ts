import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { portOf } from '../../../test/http/port-of.ts';

const operatorBaseUrl = 'https://operators.example.com';
const foreignHosts = ['evil.example', 'operators.example.com.evil.example', 'operators.example.com:8081', '10.0.0.7'];
const foreignOrigins = ['null', 'https://evil.example', 'http://operators.example.com', `${operatorBaseUrl}:8443`];

// What a listener does before a route is found is the same on every engine.
describe('a listener on a loopback address', () => {
  let operator: OperatorFixture;
  let port: number;
  before(async () => {
    operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
    port = await operator.port();
  });
  after(() => operator.close());

  const send = (line: string, ...fields: string[]) => one(operator, line, ...fields);
  const own = () => ['operators.example.com', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];

  test('serves the host of its base URL, and the names of this machine with its own port', async () => {
    for (const host of [...own(), 'operators.example.com:443', 'Operators.Example.COM', `LOCALHOST:${port}`]) {
      assert.equal((await send('GET /openapi.json HTTP/1.1', `Host: ${host}`)).status, 200, host);
    }
  });

  test('rejects every other host for any path and client, and changes nothing', async () => {
    const stored = await everything(operator.data.registry.storage);
    const token = `Authorization: Bearer ${operator.tokens.admin.token}`;
    const others = ['localhost', '127.0.0.1', `localhost:${port + 1}`, `localhost.:${port}`];
    for (const host of [...foreignHosts, ...others]) {
      for (const line of [
        'GET /openapi.json',
        'GET /docs',
        'GET /nothing/here',
        'GET /operator/v1/apps',
        'PUT /operator/v1/apps',
        'OPTIONS /operator/v1/apps',
        `POST /operator/v1/developers/${operator.data.developer.id}/erase`,
        'GET /operator/v1/nothing',
      ]) {
        const response = await send(`${line} HTTP/1.1`, `Host: ${host}`, token);
        assert.equal(response.refusal, '421 host_not_served', `${line} at ${host}`);
      }
    }
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  test('serves an HTTP/1.0 program that sends no Host', async () => {
    assert.equal((await send('GET /openapi.json HTTP/1.0')).status, 200);
    assert.equal((await send('GET /openapi.json HTTP/1.0', 'Host: evil.example')).refusal, '421 host_not_served');
  });

  test('ignores the forwarded host of an untrusted sender', async () => {
    const forwarded = 'X-Forwarded-Host: operators.example.com';
    const response = await send('GET /openapi.json HTTP/1.1', 'Host: evil.example', forwarded);
    assert.equal(response.refusal, '421 host_not_served');
    const misled = ['Host: operators.example.com', 'X-Forwarded-Host: evil.example'];
    assert.equal((await send('GET /openapi.json HTTP/1.1', ...misled)).status, 200);
  });

  test('serves health and metrics for any host', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      for (const host of foreignHosts) {
        assert.equal((await send(`GET ${path} HTTP/1.1`, `Host: ${host}`)).status, 200, `${path} at ${host}`);
        assert.equal((await send(`POST ${path} HTTP/1.1`, `Host: ${host}`)).refusal, '405 method_not_allowed');
      }
      const page = await send(`GET ${path} HTTP/1.1`, 'Host: 10.0.0.7', 'Origin: http://10.0.0.7');
      assert.equal(page.refusal, '403 origin_not_allowed', path);
    }
  });
});

describe('pages', () => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
  });
  after(() => operator.close());

  const send = (line: string, headers: Record<string, string>) => {
    const [method = '', path = ''] = line.split(' ');
    return operator.send({ method, path, headers: { ...bearer(operator.tokens.admin.token), ...headers } });
  };
  // But for the OpenAPI document, which pages of any origin may read.
  const everywhere = [
    'GET /livez',
    'GET /metrics',
    'GET /docs',
    'GET /nothing/here',
    'GET /operator/v1/apps',
    'OPTIONS /operator/v1/apps',
  ];

  test('of other origins are rejected everywhere, and change nothing', async () => {
    const stored = await everything(operator.data.registry.storage);
    const erase = `POST /operator/v1/developers/${operator.data.developer.id}/erase`;
    for (const origin of foreignOrigins) {
      for (const line of [...everywhere, erase]) {
        assert.equal((await send(line, { origin })).refusal, '403 origin_not_allowed', `${line} by ${origin}`);
      }
    }
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  test('of the base URL and of this machine are served', async () => {
    const port = await operator.port();
    for (const origin of [operatorBaseUrl, `http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      assert.equal((await send('GET /operator/v1/apps', { origin })).status, 200, origin);
      const fetched = { origin, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' };
      assert.equal((await send('GET /operator/v1/apps', fetched)).status, 200, origin);
    }
    for (const origin of [`https://localhost:${port}`, `http://localhost:${port + 1}`, 'http://localhost']) {
      assert.equal((await send('GET /operator/v1/apps', { origin })).refusal, '403 origin_not_allowed', origin);
    }
  });

  test('of other sites cannot fetch what a browser requests without an origin', async () => {
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      for (const [mode, destination] of [
        ['no-cors', 'image'],
        ['no-cors', 'script'],
        ['navigate', 'iframe'],
        ['navigate', 'object'],
      ] as const) {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination };
        for (const line of everywhere) {
          assert.equal((await send(line, headers)).refusal, '403 origin_not_allowed', `${line} as ${destination}`);
        }
      }
    }
  });

  test('of other sites can link here, but not to anything that makes a change', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.equal((await send('GET /docs', headers)).status, 200);
    assert.equal((await send('HEAD /docs', headers)).status, 200);
    assert.equal((await send('POST /operator/v1/apps', headers)).refusal, '403 origin_not_allowed');
    for (const site of ['none', 'same-origin']) {
      assert.equal((await send('GET /operator/v1/apps', { 'sec-fetch-site': site })).status, 200, site);
    }
  });
});

test('behind a trusted proxy only the Host counts, because the proxy passes on a forwarded host of the client', async () => {
  const operator = await OperatorFixture.open(sqlite, { operatorBaseUrl, trustedProxies: ['127.0.0.1'] });
  const send = (...fields: string[]) => one(operator, 'GET /openapi.json HTTP/1.1', ...fields);
  const forwarded = (host: string) => `X-Forwarded-Host: ${host}`;
  assert.equal((await send('Host: operators.example.com')).status, 200);
  assert.equal((await send('Host: operators.example.com', forwarded('evil.example'))).status, 200);
  for (const host of ['upstream', 'evil.example']) {
    const response = await send(`Host: ${host}`, forwarded('operators.example.com'));
    assert.equal(response.refusal, '421 host_not_served');
  }
  await operator.close();
});

for (const { host, isOwn } of [
  { host: 'localhost', isOwn: true },
  { host: '0.0.0.0', isOwn: false },
]) {
  test(`on ${host} a listener ${isOwn ? 'has the names of this machine' : 'has only the host of its base URL'}`, async () => {
    const operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
    await operator.listener.listen({ host, port: 0 });
    const port = portOf(operator.listener.server);
    const statusAt = async (name: string) =>
      (await operator.send({ method: 'GET', path: '/openapi.json', headers: { host: name } })).status;
    assert.equal(await statusAt('operators.example.com'), 200);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      assert.equal(await statusAt(`${name}:${port}`), isOwn ? 200 : 421, name);
    }
    assert.equal(await statusAt(`${host}:${port}`), isOwn ? 200 : 421);
    await operator.close();
  });
}

/** The only response to these lines, on a connection of its own. */
async function one(operator: OperatorFixture, line: string, ...fields: string[]): Promise<HttpResponse> {
  const [response, ...rest] = await operator.exchange([line, 'Connection: close', ...fields, '', ''].join('\r\n'));
  assert.deepEqual(rest, []);
  return response ?? assert.fail('no response');
}
