import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { test } from 'node:test';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { buildAuthorizationUrl } from 'openid-client';
import { ProviderClient, providerProblem } from './provider-sign-in.ts';

const json = { 'content-type': 'application/json' };

const unreachable: Record<string, RequestListener> = {
  'hangs up': (request) => request.socket.destroy(),
  'hangs up in the middle': (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' }).write('{"issuer":', () => response.destroy());
  },
  'has only a proxy that responds': (_, response) => response.writeHead(502).end('Bad Gateway'),
};
const invalid: Record<string, RequestListener> = {
  'responds with a page': (_, response) => response.end('<!doctype html>'),
  'responds with malformed JSON': (_, response) => response.writeHead(200, json).end('{'),
  'does not have the URL': (_, response) => response.writeHead(404).end(),
  'has another name': (_, response) => response.writeHead(200, json).end('{"issuer":"https://other.example"}'),
  'has no authorization endpoint': (request, response) => response.writeHead(200, json).end(metadata(request)),
  'has an invalid authorization endpoint': (request, response) =>
    response.writeHead(200, json).end(metadata(request, { authorization_endpoint: 'nowhere' })),
};

for (const [what, respond] of Object.entries(unreachable)) {
  test(`a provider that ${what} is reported as unreachable`, async () => {
    const problem = await problemOf(respond);
    assert.deepEqual([problem.code, problem.headers['retry-after']], ['unavailable', '10']);
    assert.match(problem.message, /cannot be reached/);
  });
}

for (const [what, respond] of Object.entries(invalid)) {
  test(`the response of a provider that ${what} is reported as invalid`, async () => {
    const problem = await problemOf(respond);
    assert.equal(problem.code, 'sign_in_refused');
    assert.match(problem.message, /^The response of the identity provider is invalid: .+ Sign in again\.$/);
  });
}

test('an error that has nothing to do with the network is not reported as an unreachable provider', () => {
  assert.equal(providerProblem(new TypeError('"response" body has been used already')).code, 'sign_in_refused');
});

function metadata({ headers: { host } }: IncomingMessage, given: object = {}): string {
  return JSON.stringify({ issuer: `http://${host}`, ...given });
}

async function problemOf(respond: RequestListener) {
  const { url: issuer, close } = await localServer(respond);
  const client = new ProviderClient({ issuer, clientId: 'console', clientSecret: null });
  try {
    buildAuthorizationUrl(await client.configuration(), {});
  } catch (error) {
    return providerProblem(error);
  } finally {
    await close();
  }
  return assert.fail('no problem');
}
