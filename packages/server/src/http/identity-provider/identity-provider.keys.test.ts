import assert from 'node:assert/strict';
import { generateKeyPair, type KeyObject, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { portOf } from '../../../test/http/port-of.ts';
import { IdentityProvider } from './identity-provider.ts';

const audience = 'https://apps.example.com';
const log = new CapturedLog();
const keys: JWK[] = [];
let server: Server;
let issuer: string;
let good: KeyObject;
let short: KeyObject;

before(async () => {
  good = await publish('good', 2048);
  short = await publish('short', 1024);
  keys.push({ kty: 'RSA', kid: 'empty' }, { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' });
  server = createServer((request, response) => {
    const isDiscovery = request.url?.startsWith('/.well-known/');
    response.end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/jwks` } : { keys }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${portOf(server)}`;
});
after(() => server.close());

test('a key that cannot be used makes no token valid, breaks nothing, and is logged', async () => {
  const provider = openProvider();
  for (const kid of ['short', 'empty']) {
    assert.equal(await provider.authenticate(await sign({ kid })), null, kid);
  }
  assert.equal(await provider.authenticate(await signedWithSecret()), null);
  assert.match(log.text, /published an unusable key/);
  assert.equal((await provider.authenticate(await sign({ kid: 'good' })))?.id, 'oidc:somebody');
});

test('a token that names no key is valid only if exactly one key is applicable', async () => {
  assert.equal(await openProvider().authenticate(await sign({})), null);
  const others = keys.splice(1);
  assert.equal((await openProvider().authenticate(await sign({})))?.id, 'oidc:somebody');
  keys.push(...others);
});

function openProvider(): IdentityProvider {
  const claims = { userIdClaim: 'sub', scopeClaims: ['scope'], scopePrefix: 'app-registry:', userIdPrefix: 'user' };
  return new IdentityProvider({ issuer, audience, tokenType: 'at+jwt', ...claims }, { logger: log.logger });
}

/** Signs with the key that the header names, or with the good one. */
async function sign(header: Partial<JWTHeaderParameters>): Promise<string> {
  const jwt = tokenWith({ alg: 'RS256', ...header });
  if (header.kid !== 'short') return jwt.sign(good);
  // The library does not sign with a short key.
  const [head, body] = (await jwt.sign(good)).split('.');
  return `${head}.${body}.${signBytes('sha256', Buffer.from(`${head}.${body}`), short).toString('base64url')}`;
}

function signedWithSecret(): Promise<string> {
  return tokenWith({ alg: 'HS256', kid: 'secret' }).sign(Buffer.from('secret'));
}

function tokenWith(header: JWTHeaderParameters): SignJWT {
  return new SignJWT({ iss: issuer, aud: audience, sub: 'somebody' })
    .setExpirationTime('5m')
    .setProtectedHeader({ typ: 'at+jwt', ...header });
}

async function publish(kid: string, modulusLength: number): Promise<KeyObject> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength });
  keys.push({ ...(await exportJWK(publicKey)), kid });
  return privateKey;
}
