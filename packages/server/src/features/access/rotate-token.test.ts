import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { getToken, revokeToken, rotateToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { authenticate } from './access-token.ts';

const hourMs = 3_600_000;
const daySeconds = 86_400;

forEachEngine((engine) => {
  const start = Date.parse('2026-03-01T09:30:00.000Z');
  let now = start;
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  beforeEach(() => {
    now = start;
  });
  after(() => fixture.close());

  const rotate = (id: string, body?: object) => rotateToken(fixture.registry, commandLine, id, body);
  const isAccepted = async (token: string) => (await authenticate(fixture.registry, token)) !== null;
  const time = (at: number) => new Date(at).toISOString();

  test('a rotation gives a token with the same settings and lifetime, and one event that names the old one', async () => {
    const settings = { name: 'storefront', readsPerMinute: 7, expiresIn: 10 * daySeconds };
    const old = await fixture.newToken('platform', settings);
    now += hourMs;
    let rotated: Awaited<ReturnType<typeof rotate>> | undefined;
    const events = await eventsDuring(fixture.registry, async () => {
      rotated = await rotate(old.id);
    });
    const { id, token, replaces, name, kind, readsPerMinute, expiresAt } = rotated ?? assert.fail();
    assert.deepEqual(
      { name, kind, readsPerMinute, expiresAt },
      { name: 'storefront', kind: 'platform', readsPerMinute: 7, expiresAt: time(now + 240 * hourMs) },
    );
    assert.deepEqual(replaces, { id: old.id, expiresAt: time(now + 24 * hourMs) });
    assert.ok(token !== old.token && (await isAccepted(token)));
    const { replacedBy, updatedAt, expiresAt: end } = await getToken(fixture.registry, old.id);
    assert.deepEqual([replacedBy, updatedAt, end], [id, time(now), replaces.expiresAt]);
    assert.deepEqual(
      events.map(({ type, subject_id, after }) => [type, subject_id, after?.replaces, after?.name]),
      [['token.created', id, replaces, undefined]],
    );
  });

  test('a rotated token of a developer or an operator keeps its developer or scopes', async () => {
    const ofDeveloper = await rotate((await fixture.newToken('developer')).id);
    assert.equal(ofDeveloper.developerId, fixture.developer.id);
    const { scopes } = await rotate((await fixture.newToken('operator', { scopes: ['review', 'read'] })).id);
    assert.deepEqual(scopes, ['review', 'read']);
  });

  test('the old token is accepted until the overlap ends, which never extends its life', async () => {
    const [inADay, immediately, expiring] = [
      await fixture.newToken('platform'),
      await fixture.newToken('platform'),
      await fixture.newToken('platform', { expiresIn: 3_600 }),
    ];
    await rotate(inADay.id, { overlap: daySeconds });
    await rotate(immediately.id, { overlap: 0 });
    const { replaces } = await rotate(expiring.id, { overlap: 30 * daySeconds });
    assert.equal(replaces.expiresAt, time(start + hourMs));
    assert.deepEqual([await isAccepted(inADay.token), await isAccepted(immediately.token)], [true, false]);
    now += 24 * hourMs - 1;
    assert.equal(await isAccepted(inADay.token), true);
    now += 1;
    assert.equal(await isAccepted(inADay.token), false);
  });

  test('a token that was rotated, was revoked or has expired is not rotated, and the refusal says what to rotate', async () => {
    const [rotated, revoked, expired] = [
      await fixture.newToken('platform'),
      await fixture.newToken('platform'),
      await fixture.newToken('platform', { expiresIn: 1 }),
    ];
    const successor = await rotate(rotated.id);
    await revokeToken(fixture.registry, commandLine, revoked.id);
    now += 1_000;
    const refused = async (id: string) =>
      (await assertRefused(fixture.registry, () => rotate(id), 'token_ended')).message;
    assert.match(await refused(rotated.id), new RegExp(successor.id));
    assert.match(await refused(revoked.id), /was revoked/);
    assert.match(await refused(expired.id), /has expired/);
  });

  test('an overlap of more than 30 days is refused', async () => {
    const { id } = await fixture.newToken('platform');
    const tooLong = { overlap: 30 * daySeconds + 1 };
    await assertRefused(fixture.registry, () => rotate(id, tooLong), 'invalid_content');
  });

  test('of two rotations at the same time one is refused', async () => {
    const { id } = await fixture.newToken('platform');
    const results = await Promise.allSettled([rotate(id), rotate(id)]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });
});
