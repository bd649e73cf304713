import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createToken, getToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  everything,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine, tokenKinds } from '../../kernel/registry.ts';

const daySeconds = 86_400;

forEachEngine((engine) => {
  const now = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const issue = (input: object) => createToken(fixture.registry, commandLine, input);
  const errors = async (input: object) =>
    validationErrorsOf(await assertRefused(fixture.registry, () => issue(input), 'invalid_content'));

  describe('a token', () => {
    test('of a developer is bound to that developer', async () => {
      const { developer } = fixture;
      const issued = await issue({ kind: 'developer', developerId: developer.id, name: 'laptop' });
      const { id, token, ...rest } = contentOf(issued);
      assert.match(id, /^token_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.match(token, /^appreg_developer_/);
      assert.deepEqual(rest, {
        kind: 'developer',
        developerId: developer.id,
        name: 'laptop',
        createdAt: '2026-03-01T09:30:00.000Z',
        expiresAt: '2026-05-30T09:30:00.000Z',
        status: 'active',
      });
    });

    test('of kind developer needs an existing developer, and no other kind has one', async () => {
      assert.deepEqual(await errors({ kind: 'developer' }), ['/developerId required']);
      assert.deepEqual(await errors({ kind: 'developer', developerId: 'ada' }), ['/developerId invalid_format']);
      const { id: userId } = fixture.developer;
      assert.deepEqual(await errors({ kind: 'platform', developerId: userId }), ['/developerId not_allowed']);
      const operator = { kind: 'operator', scopes: ['read'], developerId: userId };
      assert.deepEqual(await errors(operator), ['/developerId not_allowed']);
      const unknown = { kind: 'developer', developerId: newId('user') };
      await assertRefused(fixture.registry, () => issue(unknown), 'developer_not_found');
    });

    test('of an operator has the given scopes in order, and so has its event', async () => {
      const [event] = await eventsDuring(fixture.registry, async () => {
        const { id, scopes, kind } = await issue({ kind: 'operator', scopes: ['review', 'read'] });
        assert.deepEqual({ kind, scopes }, { kind: 'operator', scopes: ['review', 'read'] });
        assert.deepEqual((await getToken(fixture.registry, id)).scopes, scopes);
      });
      assert.deepEqual(event?.after?.scopes, ['review', 'read']);
    });

    test('of an operator needs distinct scopes, and no other kind has any', async () => {
      assert.deepEqual(await errors({ kind: 'operator' }), ['/scopes required']);
      assert.deepEqual(await errors({ kind: 'operator', scopes: [] }), ['/scopes too_short']);
      assert.deepEqual(await errors({ kind: 'operator', scopes: ['read', 'read'] }), ['/scopes not_allowed']);
      assert.deepEqual(await errors({ kind: 'operator', scopes: ['write'] }), ['/scopes/0 not_allowed']);
      assert.deepEqual(await errors({ kind: 'operator', scopes: 'read' }), ['/scopes wrong_type']);
      assert.deepEqual(await errors({ kind: 'platform', scopes: ['read'] }), ['/scopes not_allowed']);
      const { id: userId } = fixture.developer;
      const developer = { kind: 'developer', developerId: userId, scopes: ['read'] };
      assert.deepEqual(await errors(developer), ['/scopes not_allowed']);
    });

    test('is stored only as its SHA-256', async () => {
      for (const kind of tokenKinds) {
        const { id, token } = await fixture.newToken(kind);
        const row = (await rowsOf(fixture.registry.storage, 'access_tokens')).find((one) => one.id === id);
        assert.equal(row?.hash, createHash('sha256').update(token).digest('hex'));
        const stored = JSON.stringify(await everything(fixture.registry.storage));
        // Neither complete nor without the common prefix.
        assert.ok(!stored.includes(token.slice(-39)));
      }
    });
  });

  describe('the life of a token', () => {
    const lifetime = async (expiresIn?: number) => {
      const { createdAt, expiresAt } = await issue({ kind: 'platform', ...(expiresIn !== undefined && { expiresIn }) });
      return (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000;
    };

    test('is 90 days by default, and may be from one second to 366 days', async () => {
      assert.equal(await lifetime(), 90 * daySeconds);
      for (const expiresIn of [1, 366 * daySeconds]) assert.equal(await lifetime(expiresIn), expiresIn);
    });

    test('is refused outside these bounds', async () => {
      for (const expiresIn of [-1, 0, 366 * daySeconds + 1, Number.MAX_SAFE_INTEGER]) {
        assert.deepEqual(await errors({ kind: 'platform', expiresIn }), ['/expiresIn not_allowed'], String(expiresIn));
      }
      for (const expiresIn of [1.5, '90d', null]) {
        const [error, ...others] = await errors({ kind: 'platform', expiresIn });
        assert.match(error ?? '', /^\/expiresIn (wrong_type|null_not_allowed)$/);
        assert.deepEqual(others, []);
      }
    });
  });

  test('all validation errors are reported together', async () => {
    const input = { kind: 'admin', name: '', expiresIn: 0, scope: 'all' };
    assert.deepEqual((await errors(input)).toSorted(), [
      '/expiresIn not_allowed',
      '/kind not_allowed',
      '/name too_short',
      '/scope unknown_field',
    ]);
    assert.deepEqual(await errors({}), ['/kind required']);
  });
});
