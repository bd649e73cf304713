import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const revoke = (id: string) => revokeToken(fixture.registry, commandLine, id);

  test('a revoked token is returned with the time and without its secret', async () => {
    const { id } = await fixture.newToken('developer', { name: 'laptop', expiresIn: 60 });
    now += 1000;
    const { etag: _, ...revoked } = await revoke(id);
    assert.deepEqual(revoked, {
      id,
      kind: 'developer',
      developerId: fixture.developer.id,
      name: 'laptop',
      createdAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-03-01T09:31:00.000Z',
      revokedAt: '2026-03-01T09:30:01.000Z',
      updatedAt: '2026-03-01T09:30:01.000Z',
      status: 'revoked',
    });
  });

  test('an already revoked token retains its time', async () => {
    const { id } = await fixture.newToken('platform');
    const first = await revoke(id);
    now += 1000;
    assert.deepEqual(await revoke(id), first);
  });

  test('of many concurrent revocations, one succeeds and records an event', async () => {
    const { id } = await fixture.newToken('platform');
    const events = await eventsDuring(fixture.registry, () =>
      Promise.all(Array.from({ length: 10 }, () => revoke(id))),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['token.revoked'],
    );
  });

  test('an expired token can be revoked', async () => {
    const { id } = await fixture.newToken('platform', { expiresIn: 1 });
    now += 5000;
    assert.ok((await revoke(id)).revokedAt);
  });

  test('an unknown token or an invalid id is not found', async () => {
    const { token } = await fixture.newToken('platform');
    for (const id of [newId('token'), newId('app'), token, '', 'no\u0000id']) {
      await assertRefused(fixture.registry, () => revoke(id), 'token_not_found');
    }
  });
});
