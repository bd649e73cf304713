import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revokeToken, rotateToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { updateLastUsedAt } from './access-queries.ts';
import { soonestExpiries } from './access-token.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-03-01T09:00:00.000Z');

forEachEngine((engine) => {
  test('each kind reports the earliest expiry of tokens in use: neither expired, revoked, rotated, unused nor short-lived', async () => {
    let now = start;
    const fixture = await RegistryFixture.open(engine, { now: () => now });
    const { registry } = fixture;
    const newToken = async (kind: 'platform' | 'operator' | 'developer', days: number) => {
      const { id } = await fixture.newToken(kind, { expiresIn: (days * dayMs) / 1_000 });
      return id;
    };
    const use = (...ids: string[]) =>
      registry.storage.write((transaction) => updateLastUsedAt(transaction, { ids, hour: now, now }));
    const inDays = async () => {
      const expiries = Object.entries(await soonestExpiries(registry));
      return Object.fromEntries(expiries.map(([kind, at]) => [kind, (at - now) / dayMs]));
    };

    const [long, short] = [await newToken('platform', 60), await newToken('platform', 30)];
    assert.deepEqual(await inDays(), {}, 'no token has been used');
    await use(long);
    assert.deepEqual(await inDays(), { platform: 60 });
    await use(short);
    assert.deepEqual(await inDays(), { platform: 30 });
    await use(await newToken('platform', 13), await newToken('developer', 20), await newToken('operator', 14));
    assert.deepEqual(await inDays(), { platform: 30, operator: 14 });

    now += 7 * dayMs;
    assert.deepEqual(await inDays(), { platform: 23, operator: 7 }, 'used 7 days ago');
    await use(long);
    now += dayMs;
    assert.deepEqual(await inDays(), { platform: 52 }, 'used 8 days ago');
    await use(short);
    await revokeToken(registry, commandLine, short);
    assert.deepEqual(await inDays(), { platform: 52 });
    const rotated = await newToken('platform', 20);
    await use(rotated);
    assert.deepEqual(await inDays(), { platform: 20 });
    await rotateToken(registry, commandLine, rotated, { overlap: (20 * dayMs) / 1_000 });
    assert.deepEqual(await inDays(), { platform: 52 });
    await use(long);
    now = start + 60 * dayMs;
    await use(long);
    assert.deepEqual(await inDays(), {}, 'expired');
    await fixture.close();
  });
});
