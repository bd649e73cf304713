import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getToken, listTokens } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { recordTokenUses } from './access-token.ts';

const issuedAt = Date.parse('2026-03-01T09:30:00.000Z');
const hour = (text: string) => Date.parse(`2026-03-01T${text}:00:00.000Z`);

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = issuedAt;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const lastUseOf = async (id: string) => (await getToken(fixture.registry, id)).lastUsedAt;
  const record = (hours: [id: string, hour: number][]) => recordTokenUses(fixture.registry, new Map(hours));

  test('each used token shows the hour of its last use, and an unused one shows none', async () => {
    const [one, other, unused] = [
      await fixture.newToken('developer'),
      await fixture.newToken('platform'),
      await fixture.newToken('operator'),
    ];
    const events = await eventsDuring(fixture.registry, () =>
      record([
        [one.id, hour('12')],
        [other.id, hour('11')],
        [newId('token'), hour('12')],
      ]),
    );
    assert.deepEqual(events, []);
    const { items } = await listTokens(fixture.registry, {});
    assert.deepEqual(
      items.map(({ id, lastUsedAt }) => [id, lastUsedAt]),
      [
        [one.id, '2026-03-01T12:00:00.000Z'],
        [other.id, '2026-03-01T11:00:00.000Z'],
        [unused.id, undefined],
      ],
    );
  });

  test('a later hour recorded by another process remains', async () => {
    const { id } = await fixture.newToken('platform');
    now = hour('14');
    await record([[id, hour('12')]]);
    await record([[id, hour('11')]]);
    assert.equal(await lastUseOf(id), '2026-03-01T12:00:00.000Z');
    await record([[id, hour('13')]]);
    assert.equal(await lastUseOf(id), '2026-03-01T13:00:00.000Z');
  });

  test('an hour in the future, which a clock that was ahead has recorded, is replaced', async () => {
    const { id } = await fixture.newToken('platform');
    now = hour('14') + 80 * 86_400_000;
    await record([[id, now]]);
    now = hour('15');
    await record([[id, hour('15')]]);
    assert.equal(await lastUseOf(id), '2026-03-01T15:00:00.000Z');
  });

  test('no token shows a use before it was issued', async () => {
    now = issuedAt;
    const { id } = await fixture.newToken('platform');
    await record([[id, hour('09')]]);
    assert.equal(await lastUseOf(id), '2026-03-01T09:30:00.000Z');
  });

  test('processes that record the same tokens concurrently do not conflict', async () => {
    now = issuedAt;
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await fixture.newToken('platform')).id));
    now = hour('18');
    const orders = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? ids : ids.toReversed()));
    await Promise.all(orders.map((order, at) => record(order.map((id) => [id, hour('10') + at * 3_600_000]))));
    for (const id of ids) assert.equal(await lastUseOf(id), '2026-03-01T17:00:00.000Z');
  });
});
