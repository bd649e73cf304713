import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Failure } from '../../kernel/failure.ts';
import { decodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

forEachEngine((engine) => {
  const now = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  let developerId: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    developerId = fixture.developer.id;
  });
  after(() => fixture.close());

  const create = (input: object) => createApp(fixture.registry, commandLine, { developerId, ...input });
  const refused = (input: object, code: Parameters<typeof assertRefused>[2]) =>
    assertRefused(fixture.registry, () => create(input), code);

  test('a new app is a draft with the given values, unmodified', async () => {
    const logo = await fixture.newLogo();
    const content = {
      name: 'Étagère – Wissensdatenbank',
      listingInfo: { backgroundColor: '#AbC', shortDescription: ' Short. ', longDescription: 'One.\r\n\tTwo. 𝄞' },
      oauthInfo: { loginUrl: 'https://a.example/login?x=%20', callbackUrl: 'http://localhost:3000/' },
    };
    const app = await create({ ...content, logoId: logo.id });
    assert.deepEqual(app, {
      ...content,
      id: app.id,
      createdAt: '2026-03-01T09:30:00.000Z',
      updatedAt: '2026-03-01T09:30:00.000Z',
      reviewStatus: 'DRAFT',
      installationCount: 0,
      developerId,
      revision: 1,
      etag: app.etag,
      logoId: logo.id,
      logoUrl: logo.logoUrl,
      effective: null,
      warnings: [],
      reviewSteps: ['submit'],
    });
    assert.deepEqual(await getAppAsOperator(fixture.registry, app.id), app);
    assert.equal(decodeTypeId(app.id)?.prefix, 'app');
    assert.equal(decodeTypeId(app.id)?.uuid[14], '7');
  });

  test('an app with only a name has a white background and no other value', async () => {
    const { listingInfo, oauthInfo, logoUrl } = await create({ name: 'Plain' });
    assert.deepEqual(
      { listingInfo, oauthInfo, logoUrl },
      {
        listingInfo: { backgroundColor: '#ffffff' },
        oauthInfo: {},
        logoUrl: undefined,
      },
    );
  });

  describe('a name', () => {
    test('cannot be taken again, regardless of its spelling', async () => {
      await create({ name: 'Große Straße' });
      for (const name of ['Große Straße', 'GROSSE STRASSE', 'Ｇroße Straße', 'Große\u200b Straße']) {
        await refused({ name }, 'name_taken');
        await refused({ name, developerId: fixture.otherDeveloper.id }, 'name_taken');
      }
    });

    test('is taken once by concurrent requests', async () => {
      const done = await Promise.allSettled(Array.from({ length: 10 }, () => create({ name: 'Popular' })));
      const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      assert.equal(failures.length, 9);
      assert.ok(failures.every((failure) => failure instanceof Failure && failure.code === 'name_taken'));
    });

    test('may be shared when names need not be unique', async () => {
      await create({ name: 'Shared' });
      await updateSettings(fixture.registry, commandLine, { update: { uniqueNames: false } });
      const other = await create({ name: 'Shared' });
      assert.equal(other.name, 'Shared');
    });
  });

  describe('an object that an app refers to', () => {
    test('must exist: its developer', async () => {
      await refused({ name: 'Orphan', developerId: newId('user') }, 'developer_not_found');
      const failure = await refused({ name: 'Orphan', developerId: newId('app') }, 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['/developerId invalid_format']);
    });

    test('must exist and belong to the developer: its logo', async () => {
      const others = await fixture.newLogo(fixture.otherDeveloper.id);
      for (const logoId of [others.id, newId('logo'), newId('app')]) {
        const failure = await refused({ name: 'Borrowed', logoId }, 'invalid_content');
        assert.deepEqual(validationErrorsOf(failure), ['/logoId unusable_logo']);
      }
    });
  });

  test('all errors are reported together', async () => {
    const input = {
      name: 'x'.repeat(101),
      logoId: null,
      reviewStatus: 'APPROVED',
      listingInfo: { backgroundColor: 'red', shortDescription: '', longDescription: 'x'.repeat(4001), color: '' },
      oauthInfo: { loginUrl: 5, callbackUrl: 'https://a.example/#x' },
    };
    assert.deepEqual(validationErrorsOf(await refused(input, 'invalid_content')).toSorted(), [
      '/listingInfo/backgroundColor invalid_format',
      '/listingInfo/color unknown_field',
      '/listingInfo/longDescription too_long',
      '/listingInfo/shortDescription too_short',
      '/logoId null_not_allowed',
      '/name too_long',
      '/oauthInfo/callbackUrl invalid_format',
      '/oauthInfo/loginUrl wrong_type',
      '/reviewStatus read_only_field',
    ]);
  });
});
