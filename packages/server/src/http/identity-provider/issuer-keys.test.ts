import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfKeys } from './issuer-keys.ts';

const issuer = 'https://issuer.example';
const jwks_uri = 'https://keys.example/jwks';

test('keys are where the issuer says, to the letter of its name', () => {
  assert.equal(addressOfKeys(issuer, { issuer, jwks_uri }), jwks_uri);
  for (const other of ['https://issuer.example/', 'https://Issuer.example', 'http://issuer.example', undefined, null]) {
    assert.throws(() => addressOfKeys(issuer, { issuer: other, jwks_uri }), /set OIDC_ISSUER/, String(other));
  }
  for (const metadata of [null, [], 'text']) assert.throws(() => addressOfKeys(issuer, metadata), /set OIDC_ISSUER/);
});

test('keys come by https: from another machine', () => {
  for (const address of ['http://keys.example/jwks', 'ftp://keys.example', '/jwks', '', undefined, 1]) {
    assert.throws(() => addressOfKeys(issuer, { issuer, jwks_uri: address }), /https:/, String(address));
  }
  const here = 'http://127.0.0.1:3000';
  assert.equal(addressOfKeys(here, { issuer: here, jwks_uri: `${here}/jwks` }), `${here}/jwks`);
});
