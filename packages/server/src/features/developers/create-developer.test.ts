import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, contentOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { encodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

const uuid = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';
const longEmail = `${'a'.repeat(64)}@${'b'.repeat(189)}`;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const create = (input: object) => createDeveloper(fixture.registry, commandLine, input);
  const errors = async (input: object) =>
    validationErrorsOf(await assertRefused(fixture.registry, () => create(input), 'invalid_content')).toSorted();

  test('a developer has an email address and may have names, verbatim', async () => {
    const given = { id: newId('user'), email: 'Ada@Example.com', firstName: ' Ada ', lastName: 'ﬁtz’Ümlaut' };
    const { createdAt, ...created } = contentOf(await create(given));
    assert.deepEqual([created, typeof createdAt], [given, 'string']);
  });

  test('a developer without a user id gets one', async () => {
    const { id, email } = await create({ email: 'ada@example.com' });
    assert.match(id, /^user_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.equal(email, 'ada@example.com');
  });

  test('a user id may be a bare UUID, and has the prefix of the platform', async () => {
    assert.equal((await create({ email: 'a@b', id: uuid })).id, encodeTypeId('user', uuid));
    const registry = { ...fixture.registry, userIdPrefix: 'member' };
    const { id } = await createDeveloper(registry, commandLine, { email: 'a@b' });
    assert.match(id, /^member_/);
  });

  test('a user id is unique in any notation', async () => {
    const id = newId('user');
    await create({ id, email: 'a@b' });
    await assertRefused(fixture.registry, () => create({ id, email: 'c@d' }), 'already_exists');
    await assertRefused(fixture.registry, () => create({ id: uuid, email: 'c@d' }), 'already_exists');
  });

  test('of many concurrent creations with one user id, one succeeds', async () => {
    const id = newId('user');
    const done = await Promise.allSettled(Array.from({ length: 10 }, () => create({ id, email: 'a@b' })));
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('each value has its bounds', async () => {
    assert.equal(longEmail.length, 254);
    await create({ email: longEmail, firstName: '𝄞'.repeat(100), lastName: 'x' });
    assert.deepEqual(await errors({}), ['/email required']);
    assert.deepEqual(await errors({ email: `${longEmail}b` }), ['/email too_long']);
    for (const email of ['ada', 'ada@', '@example.com', 'a@b@c', 'a b@c', 'a@b\u0000']) {
      assert.deepEqual(await errors({ email }), ['/email invalid_format'], email);
    }
    assert.deepEqual(await errors({ email: 'a@b', firstName: '', lastName: 'x'.repeat(101), nickname: 'x' }), [
      '/firstName too_short',
      '/lastName too_long',
      '/nickname unknown_field',
    ]);
    assert.deepEqual(await errors({ email: 'a@b', id: newId('workspace') }), ['/id invalid_format']);
    assert.deepEqual(await errors({ email: null, firstName: null }), [
      '/email null_not_allowed',
      '/firstName null_not_allowed',
    ]);
  });
});
