import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import {
  appOf,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  refusalOf,
  rowCounts,
} from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { lineBytesMax } from './import-record-schema.ts';
import { importRegistry } from './import-registry.ts';

/** A line with its expected errors, each as pointer and code. */
type Case = [Line, ...string[]];

const time = '2024-01-01T00:00:00.000Z';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importLines = (lines: readonly Line[]) =>
    importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });

  /** Imports all lines as one file: all errors must be reported together, and nothing stored. */
  async function assertErrors(cases: Case[]): Promise<void> {
    const stored = await rowCounts(fixture.registry);
    const { detail, errors } = await refusalOf(importLines(cases.map(([line]) => line)));
    const expected = cases.flatMap(([, ...errorsOfLine], index) =>
      errorsOfLine.map((error) => `${index + 1} ${error}`),
    );
    assert.deepEqual(
      errors.map(({ line, pointer, code }) => `${line} ${pointer} ${code}`.replace('  ', ' ')).toSorted(),
      expected.toSorted(),
    );
    assert.match(detail, /cannot be accepted\. Nothing was changed\.$/);
    assert.deepEqual(await rowCounts(fixture.registry), stored);
  }

  test('a line that is not a record gets its own error', () =>
    assertErrors([
      ['{"type":"app",', 'invalid_format'],
      ['hello', 'invalid_format'],
      [`{"type":"developer"} {}`, 'invalid_format'],
      [JSON.stringify(developerOf()).padEnd(lineBytesMax)],
      ['null', 'wrong_type'],
      ['"app"', 'wrong_type'],
      ['[]', 'wrong_type'],
      [{}, '/type required'],
      [{ ...developerOf(), type: 5 }, '/type not_allowed'],
      [{ ...developerOf(), type: 'App' }, '/type not_allowed'],
      [{ ...developerOf(), type: 'toString' }, '/type not_allowed'],
      ['{"type":"developer"\0}', 'invalid_format'],
      ['\0', 'invalid_format'],
      [`${JSON.stringify(developerOf())}\r`],
      [`\ufeff${JSON.stringify(developerOf())}`],
      [JSON.stringify(developerOf()).padEnd(lineBytesMax + 1), 'too_long'],
    ]));

  test('a line without end is refused with its number, and the file is read no further', async () => {
    const chunk = Buffer.alloc(65_536);
    let bytes = 0;
    const open = async function* () {
      yield Buffer.from(`${JSON.stringify(developerOf())}\n`);
      for (;;) {
        yield chunk;
        bytes += chunk.length;
      }
    };
    const { errors } = await refusalOf(importRegistry(fixture.registry, commandLine, { open }));
    assert.deepEqual(
      errors.map(({ line, code }) => [line, code]),
      [[2, 'too_long']],
    );
    assert.ok(bytes <= lineBytesMax);
  });

  test('bytes that are not UTF-8 are reported, and the lines around them are read', async () => {
    const open = async function* () {
      yield Buffer.from(`${JSON.stringify(developerOf())}\n{"type":"developer","email":"`);
      yield Buffer.from([0xc3, 0x28]);
      yield Buffer.from('@example.com"}\n{}\n');
    };
    const { errors } = await refusalOf(importRegistry(fixture.registry, commandLine, { open }));
    assert.deepEqual(
      errors.map(({ line, code }) => [line, code]),
      [
        [2, 'invalid_format'],
        [3, 'required'],
      ],
    );
  });

  test('every field has the same bounds as elsewhere', () => {
    const { userId } = fixture.developer;
    const app = (given: object) => ({ ...appOf(userId, `App ${newId('app')}`), ...given });
    return assertErrors([
      [{ type: 'developer' }, '/userId required', '/email required'],
      [{ ...developerOf(), email: 'nobody', firstName: '' }, '/email invalid_format', '/firstName too_short'],
      [{ ...developerOf(), lastName: 'x'.repeat(101), nickname: 'x' }, '/nickname unknown_field', '/lastName too_long'],
      [{ ...developerOf(), firstName: null }, '/firstName null_not_allowed'],
      [{ type: 'app' }, '/name required', '/id required', '/developerId required', '/createdAt required'],
      [{ type: 'logo' }, '/id required', '/developerId required', '/createdAt required', '/png required'],
      [app({ name: ' x' }), '/name invalid_format'],
      [app({ name: 5 }), '/name wrong_type'],
      [app({ reviewStatus: 'NEW' }), '/reviewStatus not_allowed'],
      [app({ rejectionReason: '' }), '/rejectionReason too_short'],
      [app({ logoId: newId('logo') }), '/logoId unusable_logo'],
      [app({ logoId: 'logo' }), '/logoId invalid_format'],
      [
        app({ revision: 0, approved: {} }),
        '/revision not_allowed',
        '/approved/name required',
        '/approved/revision required',
      ],
      [app({ installationCount: 3 }), '/installationCount read_only_field'],
      [
        app({ listingInfo: { backgroundColor: 'red', x: 1 } }),
        '/listingInfo/x unknown_field',
        '/listingInfo/backgroundColor invalid_format',
      ],
      [app({ listingInfo: { shortDescription: 'a\nb' } }), '/listingInfo/shortDescription invalid_format'],
      [app({ oauthInfo: { loginUrl: 'http://example.com/' } }), '/oauthInfo/loginUrl invalid_format'],
      [`{"type":"developer","userId":"${newId('user')}","email":"a@b","__proto__":{}}`, '/__proto__ unknown_field'],
      [{ type: 'installation' }, '/appId required', '/workspaceId required', '/userId required', '/createdAt required'],
      [{ ...installationOf(newId('app')), enabled: 1 }, '/enabled wrong_type'],
    ]);
  });

  test('an id must be a TypeID of its own kind, or a UUID', () => {
    const [uuid, id] = [crypto.randomUUID(), newId('app')];
    return assertErrors([
      [{ ...developerOf(), userId: id }, '/userId invalid_format'],
      [{ ...appOf(`${uuid}0`, 'Ids 1'), id: newId('logo') }, '/id invalid_format', '/developerId invalid_format'],
      [{ ...appOf(uuid, 'Ids 2'), id: id.toUpperCase() }, '/id invalid_format'],
      [
        { ...installationOf('app'), id: '5', workspaceId: newId('user'), userId: newId('workspace') },
        '/id invalid_format',
        '/appId invalid_format',
        '/workspaceId invalid_format',
        '/userId invalid_format',
      ],
    ]);
  });

  test('an impossible history is refused', () => {
    const { userId } = fixture.developer;
    const app = (name: string, given: object) => ({ ...appOf(userId, name), ...given });
    return assertErrors([
      [app('Past 1', { createdAt: '2024-01-01' }), '/createdAt invalid_format'],
      [app('Past 2', { createdAt: '2024-01-01T00:00:00+01:00' }), '/createdAt invalid_format'],
      [app('Past 3', { createdAt: '2023-02-29T00:00:00Z' }), '/createdAt invalid_format'],
      [app('Past 4', { updatedAt: '2023-12-31T23:59:59.999Z' }), '/updatedAt not_allowed'],
      [app('Past 5', { updatedAt: time })],
      [app('Past 6', { reviewStatus: 'APPROVED', rejectionReason: 'No.' }), '/rejectionReason not_allowed'],
      [app('Past 10', { submittedAt: time }), '/submittedAt not_allowed'],
      [app('Past 11', { reviewStatus: 'REJECTED', submittedAt: time }), '/submittedAt not_allowed'],
      [app('Past 12', { reviewStatus: 'AWAITING_REVIEW', submittedAt: time })],
      [app('Past 13', { reviewStatus: 'AWAITING_REVIEW', submittedAt: '2024' }), '/submittedAt invalid_format'],
      [app('Past 7', { revision: 2, approved: { name: 'Past 6', revision: 2 } }), '/approved/revision not_allowed'],
      [app('Past 8', { revision: 2, approved: { name: 'Past 8', revision: 3 } }), '/approved/revision not_allowed'],
      [app('Past 9', { revision: 2, approved: { name: 'Past 8', revision: 1 } })],
      [{ ...developerOf(), createdAt: time, updatedAt: '2023-01-01T00:00:00Z' }, '/updatedAt not_allowed'],
      [{ ...developerOf(), updatedAt: time }],
    ]);
  });

  describe('an object that conflicts with another', () => {
    test('is reported when the other is in the registry', async () => {
      const [developer, workspaceId] = [developerOf(), newId('workspace')];
      const app = appOf(developer.userId, 'Straße');
      const installation = { ...installationOf(app.id), workspaceId };
      const other = appOf(developer.userId, 'Other street');
      await importLines([developer, app, other, installation]);
      await assertErrors([
        [{ ...app, developerId: fixture.developer.userId }, '/developerId not_allowed'],
        [appOf(developer.userId, 'STRASSE'), '/name already_exists'],
        [{ ...other, name: 'Straße' }, '/name already_exists'],
        [{ ...installationOf(app.id), id: installation.id }, '/workspaceId not_allowed'],
        [{ ...installation, appId: other.id }, '/appId not_allowed'],
        [{ ...installationOf(app.id), workspaceId }, '/workspaceId already_exists'],
      ]);
    });

    test('is reported when the other is on an earlier line, near or far', () => {
      const [developer, workspaceId] = [developerOf(), newId('workspace')];
      const [app, other] = [appOf(developer.userId, 'Twice'), appOf(developer.userId, 'Other')];
      const installation = { ...installationOf(app.id), workspaceId };
      const elsewhere = { ...installationOf(other.id), workspaceId };
      return assertErrors([
        [developer],
        [app],
        [{ ...app, id: newId('app') }, '/name already_exists'],
        [other],
        [{ ...other, name: 'Twice' }, '/name already_exists'],
        [installation],
        [elsewhere],
        [{ ...installation, id: elsewhere.id }, '/appId not_allowed', '/workspaceId already_exists'],
        ...Array.from({ length: 2_000 }, (): Case => [installationOf(app.id)]),
        [{ ...installation, id: newId('installation') }, '/workspaceId already_exists'],
        [{ ...app, developerId: fixture.developer.userId }, '/developerId not_allowed'],
      ]);
    });
  });

  describe('a line that refers to another object', () => {
    test('is valid if that object is in the registry or on an earlier line', () => {
      const [developer, late] = [developerOf(), developerOf()];
      const [app, lateApp] = [appOf(developer.userId, 'Found'), appOf(developer.userId, 'Late')];
      return assertErrors([
        [developer],
        [appOf(late.userId, 'Early'), '/developerId not_found'],
        [late],
        [app],
        [installationOf(lateApp.id), '/appId not_found'],
        [lateApp],
        [installationOf(lateApp.id)],
        [installationOf(newId('app')), '/appId not_found'],
      ]);
    });

    test('gets no error if the line of that object is invalid', () => {
      const [developer, unreadable] = [developerOf(), developerOf()];
      const app = appOf(developer.userId, 'Of an invalid developer');
      const nameless = appOf(developer.userId, 'Nameless');
      const truncated = appOf(developer.userId, 'Truncated');
      const orphan = appOf(newId('user'), 'Orphan');
      const nephew = appOf(unreadable.userId, 'Nephew');
      return assertErrors([
        [{ ...developer, email: '' }, '/email too_short'],
        [JSON.stringify(unreadable).slice(0, -1), 'invalid_format'],
        [app],
        [nephew],
        [orphan, '/developerId not_found'],
        [{ ...nameless, name: '' }, '/name too_short'],
        [`${JSON.stringify(truncated)},`, 'invalid_format'],
        ...[app, nephew, orphan, nameless, truncated].map(({ id }): Case => [installationOf(id)]),
        [appOf(fixture.developer.userId, 'Fine')],
        [{ ...appOf(fixture.developer.userId, 'Fine'), id: nameless.id }, '/name already_exists'],
        [installationOf(nameless.id)],
      ]);
    });
  });

  test('names may be equal where they need not be unique', async () => {
    const lines = [appOf(fixture.developer.userId, 'Same'), appOf(fixture.developer.userId, 'Same')];
    const { registry } = fixture;
    await updateSettings(registry, commandLine, { update: { uniqueNames: false } });
    await importRegistry(registry, commandLine, { open: fileOf(lines) });
  });

  test('errors of one kind form a group with their number and the first of them', async () => {
    const lines = Array.from({ length: 3_333 }, (_, at) => ({ ...developerOf(), email: '', userId: `old ${at}` }));
    const { detail, groups } = await refusalOf(importLines(lines));
    assert.equal(detail, '3333 values cannot be accepted. Nothing was changed.');
    assert.deepEqual(
      groups.map(({ pointer, code, line, count }) => [pointer, code, line, count]),
      [['/email', 'too_short', 1, 3_333]],
    );
  });

  test('an error shows its values and conflicts, but no personal data', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Clashing');
    const { groups } = await refusalOf(
      importLines([
        developer,
        app,
        { ...app, developerId: fixture.developer.userId },
        { ...developerOf(), email: 'nobody' },
        { ...app, createdAt: '5' },
      ]),
    );
    assert.deepEqual(
      groups.map(({ examples }) => examples),
      [
        [{ line: 3, value: fixture.developer.userId, clashesWith: { id: app.id, line: 2 } }],
        [{ line: 4 }],
        [{ line: 5, value: '5' }],
      ],
    );
  });

  test('an unlimited number of kinds of errors is counted, and a limited number listed', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => ({ ...developerOf(), [`field${at}`]: 1 }));
    const { detail, groups } = await refusalOf(importLines(lines));
    assert.match(detail, /^1000 values cannot be accepted/);
    assert.equal(groups.length, 500);
  });
});
