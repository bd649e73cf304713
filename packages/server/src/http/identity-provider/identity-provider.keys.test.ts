import assert from 'node:assert/strict';
import { generateKeyPair, type KeyObject, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { audience } from '@appregistrar/testkit/identity-provider/openid-provider';
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { portOf } from '../../../test/http/port-of.ts';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';

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
  const { provider, log } = identityProviderOf({ issuer });
  for (const kid of ['short', 'empty']) {
    assert.equal(await provider.authenticate(await sign({ kid })), null, kid);
  }
  assert.equal(await provider.authenticate(await signedWithSecret()), null);
  assert.match(log.text, /published an unusable key/);
  assert.equal((await provider.authenticate(await sign({ kid: 'good' })))?.id, 'oidc:somebody');
});

test('a token that names no key is valid only if exactly one key is applicable', async () => {
  assert.equal(await identityProviderOf({ issuer }).provider.authenticate(await sign({})), null);
  const others = keys.splice(1);
  assert.equal((await identityProviderOf({ issuer }).provider.authenticate(await sign({})))?.id, 'oidc:somebody');
  keys.push(...others);
});

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
