import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listTokens, revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, contentOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
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

  const list = (query: object = {}) => listTokens(fixture.registry, query);
  const idsOf = async (query: object) => (await list(query)).items.map(({ id }) => id);

  test('tokens are listed without their secrets, by developer and by kind', async () => {
    const other = { developerId: fixture.otherDeveloper.id };
    const mine = await fixture.newToken('developer', { name: 'laptop' });
    const theirs = await fixture.newToken('developer', other);
    const platform = await fixture.newToken('platform');
    assert.deepEqual(await idsOf({}), [mine.id, theirs.id, platform.id]);
    assert.deepEqual(await idsOf({ developerId: fixture.developer.id }), [mine.id]);
    assert.deepEqual(await idsOf({ kind: 'developer' }), [mine.id, theirs.id]);
    assert.deepEqual(await idsOf({ kind: 'platform', ...other }), []);
    const [item] = (await list({ developerId: fixture.developer.id })).items;
    assert.deepEqual(contentOf(item ?? assert.fail()), {
      id: mine.id,
      kind: 'developer',
      developerId: fixture.developer.id,
      name: 'laptop',
      createdAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-05-30T09:30:00.000Z',
      status: 'active',
    });
    const listed = JSON.stringify(await list());
    for (const { token } of [mine, theirs, platform]) assert.ok(!listed.includes(token) && !listed.includes('hash'));
  });

  test('each token shows whether it is valid', async () => {
    const developerId = fixture.otherDeveloper.id;
    const issue = () => fixture.newToken('developer', { developerId, expiresIn: 60 });
    const [short, revoked, both] = [await issue(), await issue(), await issue()];
    const status = async () => {
      const { items } = await list({ developerId });
      return [short, revoked, both].map((token) => items.find(({ id }) => id === token.id)?.status);
    };
    await revokeToken(fixture.registry, commandLine, revoked.id);
    await revokeToken(fixture.registry, commandLine, both.id);
    now += 59_999;
    assert.deepEqual(await status(), ['active', 'revoked', 'revoked']);
    now += 1;
    assert.deepEqual(await status(), ['expired', 'revoked', 'revoked']);
  });

  test('pages lead forwards', async () => {
    const all = await idsOf({});
    const first = await list({ limit: 2 });
    assert.deepEqual(
      first.items.map(({ id }) => id),
      all.slice(0, 2),
    );
    assert.deepEqual(await idsOf({ cursor: first.nextCursor }), all.slice(2));
  });

  test('an invalid developer id or kind is refused, and an unknown developer has no tokens', async () => {
    const refused = async (query: object) =>
      validationErrorsOf(await assertRefused(fixture.registry, () => list(query), 'invalid_content'));
    assert.deepEqual(await refused({ developerId: newId('app') }), ['developerId invalid_format']);
    assert.deepEqual(await refused({ kind: 'master' }), ['kind not_allowed']);
    assert.deepEqual(await list({ developerId: newId('user') }), { items: [] });
  });
});
