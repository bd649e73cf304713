import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jwksUri } from './issuer-keys.ts';

const issuer = 'https://issuer.example';
const jwks_uri = 'https://keys.example/jwks';

test('the URL of the keys is taken only from metadata with the exact issuer', () => {
  assert.equal(jwksUri(issuer, { issuer, jwks_uri }), jwks_uri);
  for (const other of ['https://issuer.example/', 'https://Issuer.example', 'http://issuer.example', undefined, null]) {
    assert.throws(() => jwksUri(issuer, { issuer: other, jwks_uri }), /set OIDC_ISSUER/, String(other));
  }
  for (const metadata of [null, [], 'text']) assert.throws(() => jwksUri(issuer, metadata), /set OIDC_ISSUER/);
});

test('keys come from another machine only by https:', () => {
  for (const address of ['http://keys.example/jwks', 'ftp://keys.example', '/jwks', '', undefined, 1]) {
    assert.throws(() => jwksUri(issuer, { issuer, jwks_uri: address }), /https:/, String(address));
  }
  const here = 'http://127.0.0.1:3000';
  assert.equal(jwksUri(here, { issuer: here, jwks_uri: `${here}/jwks` }), `${here}/jwks`);
});
