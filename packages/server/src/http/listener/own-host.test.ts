import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { bearer } from 'app-registry-testkit/http/http-request';
import type { HttpResponse } from 'app-registry-testkit/http/http-response';
import { OperatorFixture } from 'app-registry-testkit/http/operator-fixture';
import { everything } from 'app-registry-testkit/registry/recorded';

const operatorBaseUrl = 'https://operators.example.com';
const foreignHosts = ['evil.example', 'operators.example.com.evil.example', 'operators.example.com:8081', '10.0.0.7'];
const foreignOrigins = ['null', 'https://evil.example', 'http://operators.example.com', `${operatorBaseUrl}:8443`];

// What a listener does before a route is found is the same on every engine.
describe('a listener that only this machine reaches', () => {
  let operator: OperatorFixture;
  let port: number;
  before(async () => {
    operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
    port = await operator.port();
  });
  after(() => operator.close());

  const ask = (line: string, ...fields: string[]) => one(operator, line, ...fields);
  const own = () => ['operators.example.com', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];

  test('serves the host of its base address, and the names of this machine with the port that it got', async () => {
    for (const host of [...own(), 'operators.example.com:443', 'Operators.Example.COM', `LOCALHOST:${port}`]) {
      assert.equal((await ask('GET /openapi.json HTTP/1.1', `Host: ${host}`)).status, 200, host);
    }
  });

  test('refuses every other host, whatever is asked for and by whom, and changes nothing', async () => {
    const stored = await everything(operator.data.registry.storage);
    const token = `Authorization: Bearer ${operator.tokens.admin.token}`;
    const others = ['localhost', '127.0.0.1', `localhost:${port + 1}`, `localhost.:${port}`, `user@localhost:${port}`];
    for (const host of [...foreignHosts, ...others]) {
      for (const line of [
        'GET /openapi.json',
        'GET /docs',
        'GET /nothing/here',
        'GET /operator/v1/apps',
        'PUT /operator/v1/apps',
        'OPTIONS /operator/v1/apps',
        `POST /operator/v1/developers/${operator.data.developer.userId}/erase`,
        'GET /operator/v1/nothing',
      ]) {
        const answer = await ask(`${line} HTTP/1.1`, `Host: ${host}`, token);
        assert.equal(answer.refusal, '421 host_not_served', `${line} at ${host}`);
      }
    }
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  test('serves a program that speaks HTTP/1.0 and names no host', async () => {
    assert.equal((await ask('GET /openapi.json HTTP/1.0')).status, 200);
    assert.equal((await ask('GET /openapi.json HTTP/1.0', 'Host: evil.example')).refusal, '421 host_not_served');
  });

  test('takes one host for an answer', async () => {
    for (const hosts of [
      ['Host: operators.example.com', 'Host: evil.example'],
      ['Host: evil.example', 'hOST: operators.example.com'],
    ]) {
      assert.equal((await ask('GET /openapi.json HTTP/1.1', ...hosts)).refusal, '400 malformed_request');
    }
  });

  test('does not believe a sender about the host', async () => {
    const forwarded = 'X-Forwarded-Host: operators.example.com';
    const answer = await ask('GET /openapi.json HTTP/1.1', 'Host: evil.example', forwarded);
    assert.equal(answer.refusal, '421 host_not_served');
    const misled = ['Host: operators.example.com', 'X-Forwarded-Host: evil.example'];
    assert.equal((await ask('GET /openapi.json HTTP/1.1', ...misled)).status, 200);
  });

  test('tells supervisors and monitoring systems how it is, by whatever host they ask', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      for (const host of foreignHosts) {
        assert.equal((await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`)).status, 200, `${path} at ${host}`);
        assert.equal((await ask(`POST ${path} HTTP/1.1`, `Host: ${host}`)).refusal, '405 method_not_allowed');
      }
      const page = await ask(`GET ${path} HTTP/1.1`, 'Host: 10.0.0.7', 'Origin: http://10.0.0.7');
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
  const everywhere = [
    'GET /openapi.json',
    'GET /livez',
    'GET /metrics',
    'GET /docs',
    'GET /nothing/here',
    'GET /operator/v1/apps',
    'OPTIONS /operator/v1/apps',
  ];

  test('of other origins may ask for nothing, and change nothing', async () => {
    const stored = await everything(operator.data.registry.storage);
    const erase = `POST /operator/v1/developers/${operator.data.developer.userId}/erase`;
    for (const origin of foreignOrigins) {
      for (const line of [...everywhere, erase]) {
        assert.equal((await send(line, { origin })).refusal, '403 origin_not_allowed', `${line} by ${origin}`);
      }
    }
    assert.deepEqual(await everything(operator.data.registry.storage), stored);
  });

  test('of the base address and of this machine may ask', async () => {
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

  test('of other sites may not fetch what a browser asks for without an origin', async () => {
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

  test('of other sites may have a link to here, and none that changes something', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.equal((await send('GET /openapi.json', headers)).status, 200);
    assert.equal((await send('HEAD /openapi.json', headers)).status, 200);
    assert.equal((await send('POST /operator/v1/apps', headers)).refusal, '403 origin_not_allowed');
    for (const site of ['none', 'same-origin']) {
      assert.equal((await send('GET /operator/v1/apps', { 'sec-fetch-site': site })).status, 200, site);
    }
  });
});

test('behind a trusted proxy the host is the one that the nearest proxy tells', async () => {
  const operator = await OperatorFixture.open(sqlite, { operatorBaseUrl, trustedProxies: ['127.0.0.1'] });
  const ask = (...fields: string[]) => one(operator, 'GET /openapi.json HTTP/1.1', ...fields);
  const told = (host: string) => `X-Forwarded-Host: ${host}`;
  assert.equal((await ask('Host: upstream', told('operators.example.com'))).status, 200);
  assert.equal((await ask('Host: upstream', told('evil.example, operators.example.com'))).status, 200);
  assert.equal((await ask('Host: operators.example.com')).status, 200);
  for (const fields of [
    ['Host: upstream'],
    ['Host: operators.example.com', told('evil.example')],
    ['Host: upstream', told('operators.example.com, evil.example')],
  ]) {
    assert.equal((await ask(...fields)).refusal, '421 host_not_served');
  }
  await operator.close();
});

for (const { host, isOwn } of [
  { host: 'localhost', isOwn: true },
  { host: '0.0.0.0', isOwn: false },
]) {
  test(`on ${host} a listener ${isOwn ? 'has the names of this machine' : 'has no name but that of its base address'}`, async () => {
    const operator = await OperatorFixture.open(sqlite, { operatorBaseUrl });
    await operator.listener.listen({ host, port: 0 });
    const { port } = operator.listener.server.address() as AddressInfo;
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

/** The one answer to these lines on a connection of their own. */
async function one(operator: OperatorFixture, line: string, ...fields: string[]): Promise<HttpResponse> {
  const [answer, ...rest] = await operator.exchange([line, 'Connection: close', ...fields, '', ''].join('\r\n'));
  assert.deepEqual(rest, []);
  return answer ?? assert.fail('no answer');
}
