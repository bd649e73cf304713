import assert from 'node:assert/strict';
import { generateKeyPair, type KeyObject, sign as signBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { audience } from '@appregistrar/testkit/identity-provider/openid-provider';
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { identityProviderOf } from '../../../test/identity-provider/identity-provider-of.ts';
import { jwksUri } from './issuer-keys.ts';

const keys: JWK[] = [];
let server: Awaited<ReturnType<typeof localServer>>;
let issuer: string;
let good: KeyObject;
let short: KeyObject;

before(async () => {
  good = await publish('good', 2048);
  short = await publish('short', 1024);
  keys.push({ kty: 'RSA', kid: 'empty' }, { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' });
  server = await localServer((request, response) => {
    const isDiscovery = request.url?.startsWith('/.well-known/');
    response.end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/jwks` } : { keys }));
  });
  issuer = server.url;
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

const named = 'https://issuer.example';
const jwks_uri = 'https://keys.example/jwks';

test('the URL of the keys is taken only from metadata with the exact issuer', () => {
  assert.equal(jwksUri(named, { issuer: named, jwks_uri }), jwks_uri);
  for (const other of ['https://issuer.example/', 'https://Issuer.example', 'http://issuer.example', undefined, null]) {
    assert.throws(() => jwksUri(named, { issuer: other, jwks_uri }), /set OIDC_ISSUER/, String(other));
  }
  for (const metadata of [null, [], 'text']) assert.throws(() => jwksUri(named, metadata), /set OIDC_ISSUER/);
});

test('keys come from another machine only by https:', () => {
  for (const address of ['http://keys.example/jwks', 'ftp://keys.example', '/jwks', '', undefined, 1]) {
    assert.throws(() => jwksUri(named, { issuer: named, jwks_uri: address }), /https:/, String(address));
  }
  const here = 'http://127.0.0.1:3000';
  assert.equal(jwksUri(here, { issuer: here, jwks_uri: `${here}/jwks` }), `${here}/jwks`);
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
