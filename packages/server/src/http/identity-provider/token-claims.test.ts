import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClaimMapping, principalOfClaims } from './identity-provider.ts';

const userId = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';
const mapping: ClaimMapping = {
  userIdClaim: 'sub',
  scopeClaims: ['scope', 'scp'],
  scopePrefix: 'app-registry:',
  userIdPrefix: 'user',
};

describe('the kinds of a token', () => {
  test('come from the scopes with the prefix, in a string or a list', () => {
    const cases: [scopes: unknown, kinds: string[], scopes: string[]][] = [
      ['app-registry:developer', ['developer'], []],
      ['app-registry:platform', ['platform'], []],
      ['app-registry:read', ['operator'], ['read']],
      ['app-registry:review app-registry:portal', ['operator'], ['portal', 'review']],
      ['openid app-registry:admin app-registry:developer', ['developer', 'operator'], ['admin']],
      [['app-registry:platform', 'app-registry:developer'], ['developer', 'platform'], []],
      ['openid profile', [], []],
      ['app-registry:', [], []],
      ['app-registry:Admin app-registry:admin2 xapp-registry:admin admin', [], []],
      ['app-registry:operator', [], []],
      [['app-registry:developer app-registry:admin'], [], []],
      [[1, null, { scope: 'app-registry:admin' }], [], []],
      [{ 'app-registry:admin': true }, [], []],
      [undefined, [], []],
    ];
    for (const [scope, kinds, scopes] of cases) {
      const holder = principalOfClaims({ sub: userId, scope }, mapping);
      assert.deepEqual([holder.kinds, holder.scopes], [kinds, scopes], JSON.stringify(scope));
      assert.equal(holder.developerId, kinds.includes('developer') ? userId : null);
    }
  });

  test('come from all scope claims together, and from no other claim', () => {
    const claims = {
      sub: userId,
      scope: 'app-registry:read',
      scp: ['app-registry:developer'],
      roles: ['https://apps.example.com/admin'],
    };
    assert.deepEqual(principalOfClaims(claims, mapping).kinds, ['developer', 'operator']);
    assert.deepEqual(principalOfClaims(claims, mapping).scopes, ['read']);
    const others = { ...mapping, scopeClaims: ['roles'], scopePrefix: 'https://apps.example.com/' };
    assert.deepEqual(principalOfClaims(claims, others).scopes, ['admin']);
  });
});

describe('the developer of a token', () => {
  const scope = 'app-registry:developer';

  test('is a TypeID with the prefix of user ids, or a UUID', () => {
    assert.equal(principalOfClaims({ sub: userId, scope }, mapping).developerId, userId);
    const uuid = '00000000-0000-0000-0000-000000000001';
    const encoded = '00000000000000000000000001';
    assert.equal(principalOfClaims({ sub: uuid, scope }, mapping).developerId, `user_${encoded}`);
    const otherPrefix = { ...mapping, userIdPrefix: 'member' };
    assert.equal(principalOfClaims({ sub: uuid, scope }, otherPrefix).developerId, `member_${encoded}`);
    assert.equal(principalOfClaims({ sub: userId, scope }, otherPrefix).developerId, null);
  });

  test('comes from the configured claim', () => {
    const claims = { sub: 'auth0|1', uid: userId, scope };
    const holder = principalOfClaims(claims, { ...mapping, userIdClaim: 'uid' });
    assert.deepEqual([holder.id, holder.developerId, holder.kinds], ['oidc:auth0|1', userId, ['developer']]);
  });

  test('can be unknown, and then the token is not of kind developer, only of its other kinds', () => {
    for (const uid of [undefined, 'ada', '', 1, [userId], 'workspace_01jq3v8nbtf4mrk6d2m3wz5x7c']) {
      const claims = { sub: userId, uid, scope: `${scope} app-registry:read` };
      const holder = principalOfClaims(claims, { ...mapping, userIdClaim: 'uid' });
      assert.deepEqual([holder.developerId, holder.kinds], [null, ['operator']], String(uid));
    }
  });
});

test('a subject is not hashed only if it cannot be an email address or a name of two parts', () => {
  const unhashed = [
    userId,
    'auth0|5f7c8ec7c33c6c004bbafe82',
    'b4f1…'.slice(0, 4),
    '110169484474386276334',
    'portal-backend',
  ];
  for (const sub of unhashed) assert.equal(principalOfClaims({ sub }, mapping).id, `oidc:${sub}`);
  const hashed = ['ada@example.com', 'ada.lovelace', 'Ada Lovelace', 'ädä', 'a\nb', 'sha256:x', 'x'.repeat(101)];
  const ids = hashed.map((sub) => principalOfClaims({ sub }, mapping).id);
  for (const id of ids) assert.match(id, /^oidc:sha256:[0-9a-f]{64}$/);
  assert.equal(new Set(ids).size, hashed.length);
  assert.deepEqual(
    hashed.map((sub) => principalOfClaims({ sub, jti: 'another' }, mapping).id),
    ids,
  );
});
