import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { buildAuthorizationUrl } from 'openid-client';
import { ProviderClient } from './provider-client.ts';
import { providerProblem } from './provider-problem.ts';

const json = { 'content-type': 'application/json' };

const away: Record<string, RequestListener> = {
  'hangs up': (request) => request.socket.destroy(),
  'hangs up in the middle': (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' }).write('{"issuer":', () => response.destroy());
  },
  'has only a proxy that answers': (_, response) => response.writeHead(502).end('Bad Gateway'),
};
const nonsense: Record<string, RequestListener> = {
  'answers with a page': (_, response) => response.end('<!doctype html>'),
  'answers with no JSON': (_, response) => response.writeHead(200, json).end('{'),
  'knows no such address': (_, response) => response.writeHead(404).end(),
  'is another one': (_, response) => response.writeHead(200, json).end('{"issuer":"https://other.example"}'),
  'says nowhere to sign in': (request, response) => response.writeHead(200, json).end(metadata(request)),
  'says to sign in at no address': (request, response) =>
    response.writeHead(200, json).end(metadata(request, { authorization_endpoint: 'nowhere' })),
};

for (const [what, answer] of Object.entries(away)) {
  test(`a provider that ${what} cannot be reached`, async () => {
    const problem = await problemOf(answer);
    assert.deepEqual([problem.code, problem.headers['retry-after']], ['unavailable', '10']);
    assert.match(problem.message, /cannot be reached/);
  });
}

for (const [what, answer] of Object.entries(nonsense)) {
  test(`of a provider that ${what} it is told that its answer is not good`, async () => {
    const problem = await problemOf(answer);
    assert.equal(problem.code, 'sign_in_refused');
    assert.match(problem.message, /^The answer of the identity provider is not good: .+ Sign in again\.$/);
  });
}

test('a fault that has nothing to do with the network is not told as a provider that cannot be reached', () => {
  assert.equal(providerProblem(new TypeError('"response" body has been used already')).code, 'sign_in_refused');
});

function metadata({ headers: { host } }: IncomingMessage, given: object = {}): string {
  return JSON.stringify({ issuer: `http://${host}`, ...given });
}

async function problemOf(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new ProviderClient({ issuer, clientId: 'console', clientSecret: null });
  try {
    buildAuthorizationUrl(await client.configuration(), {});
  } catch (error) {
    return providerProblem(error);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return assert.fail('there is no problem');
}
