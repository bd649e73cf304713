import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine, sqlite } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { authenticate, newTokenText } from './access-token.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const principalOfToken = (token: string) => authenticate(fixture.registry, token);

  test('a valid token yields its kind, and its developer or scopes if it has them', async () => {
    const common = {
      developerId: null,
      isSuspended: false,
      scopes: [],
      updatesPerMinute: null,
      readsPerMinute: null,
      requestsPerMinute: null,
    };
    const developer = await fixture.newToken('developer');
    const developerId = fixture.developer.id;
    assert.deepEqual(await principalOfToken(developer.token), {
      ...common,
      id: developer.id,
      kinds: ['developer'],
      developerId,
    });
    const platform = await fixture.newToken('platform');
    assert.deepEqual(await principalOfToken(platform.token), { ...common, id: platform.id, kinds: ['platform'] });
    const operator = await fixture.newToken('operator', { scopes: ['read', 'review'] });
    assert.deepEqual(await principalOfToken(operator.token), {
      ...common,
      id: operator.id,
      kinds: ['operator'],
      scopes: ['read', 'review'],
    });
  });

  test('a token yields its limits', async () => {
    const limits = { updatesPerMinute: 600, readsPerMinute: 0 };
    const holder = await principalOfToken((await fixture.newToken('developer', limits)).token);
    assert.deepEqual([holder?.updatesPerMinute, holder?.readsPerMinute], [600, 0]);
  });

  test('a token is valid until the moment it expires', async () => {
    const { token } = await fixture.newToken('platform', { expiresIn: 60 });
    now += 59_999;
    assert.ok(await principalOfToken(token));
    now += 1;
    assert.equal(await principalOfToken(token), null);
    now -= 1;
    assert.ok(await principalOfToken(token));
  });

  test('a revoked token is invalid, and others remain valid', async () => {
    const { id, token } = await fixture.newToken('platform');
    const other = await fixture.newToken('platform');
    assert.ok(await principalOfToken(token));
    await revokeToken(fixture.registry, commandLine, id);
    assert.equal(await principalOfToken(token), null);
    assert.equal(await principalOfToken(token), null);
    assert.ok(await principalOfToken(other.token));
  });

  test('a token that was never issued is invalid', async () => {
    assert.equal(await principalOfToken(newTokenText('operator')), null);
  });

  test('the stored form of a token is not a token', async () => {
    const { id } = await fixture.newToken('platform');
    for (const text of [id, '', 'appreg_platform_', 'null']) assert.equal(await principalOfToken(text), null);
  });
});

test('more tokens than the cache holds all remain valid and distinct', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const tokens: { id: string; token: string }[] = [];
  for (let count = 0; count < 1_100; count += 1) tokens.push(await fixture.newToken('platform'));
  for (const { id, token } of [...tokens, ...tokens]) {
    assert.equal((await authenticate(fixture.registry, token))?.id, id);
  }
  await fixture.close();
});

test('a typo is detected without a query', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const { token } = await fixture.newToken('platform');
  await fixture.close();
  const last = token.at(-1);
  const typo = token.slice(0, -1) + (last === 'x' ? 'y' : 'x');
  assert.equal(await authenticate(fixture.registry, typo), null);
  await assert.rejects(authenticate(fixture.registry, token), /the database is closed/);
});
