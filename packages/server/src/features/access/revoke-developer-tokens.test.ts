import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeDeveloperTokens, revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { authenticate } from './access-token.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const revoke = (developerId: string) => revokeDeveloperTokens(fixture.registry, commandLine, developerId);

  test('all tokens of a developer are refused from then on, but not those of others', async () => {
    const developerId = fixture.developer.id;
    const mine = [await fixture.newToken('developer'), await fixture.newToken('developer', { expiresIn: 1 })] as const;
    const before = await fixture.newToken('developer');
    const { revokedAt } = await revokeToken(fixture.registry, commandLine, before.id);
    const others = [
      await fixture.newToken('platform'),
      await fixture.newToken('developer', { developerId: fixture.otherDeveloper.id }),
    ];
    now += 5000;
    const events = await eventsDuring(fixture.registry, async () => {
      assert.deepEqual(await revoke(developerId), { id: developerId, tokensRevoked: 2 });
    });
    assert.deepEqual(
      events.map(({ type, subject_id, after }) => [type, subject_id, after]),
      mine.map(({ id }) => ['token.revoked', id, { revokedAt: new Date(now).toISOString() }]),
    );
    for (const { token } of mine) assert.equal(await authenticate(fixture.registry, token), null);
    for (const { token } of others) assert.ok(await authenticate(fixture.registry, token));
    assert.equal((await revokeToken(fixture.registry, commandLine, before.id)).revokedAt, revokedAt);
    assert.deepEqual(await revoke(developerId), { id: developerId, tokensRevoked: 0 });
  });

  test('concurrent revocations revoke each token once', async () => {
    const developerId = fixture.otherDeveloper.id;
    for (let made = 0; made < 5; made += 1) await fixture.newToken('developer', { developerId });
    let count = 0;
    const events = await eventsDuring(fixture.registry, async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => revoke(developerId)));
      count = all.reduce((sum, { tokensRevoked }) => sum + tokensRevoked, 0);
    });
    assert.equal(count, events.length);
    assert.equal(new Set(events.map(({ subject_id }) => subject_id)).size, events.length);
  });

  test('an unknown developer or an invalid id is refused', async () => {
    for (const id of [newId('user'), '', newId('app'), 'no\u0000id']) {
      await assertRefused(fixture.registry, () => revoke(id), 'developer_not_found');
    }
  });
});
