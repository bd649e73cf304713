import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import {
  appOf,
  created,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  refusalOf,
  rowCounts,
} from '@appregistrar/testkit/registry/import-file';
import fc from 'fast-check';
import { csvFile } from '../../../test/registry/csv-files.ts';
import { type Case, ImportFixture } from '../../../test/registry/import-fixture.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { ImportSource } from './import-input.ts';
import { lineBytesMax } from './import-record-schema.ts';
import { importRegistry } from './import-registry.ts';
import { readRecords } from './read-records.ts';

const time = '2024-01-01T00:00:00.000Z';

onSqlite((engine) => {
  const imports = new ImportFixture(engine);

  describe('a file', () => {
    const refusedLines = async (open: () => AsyncIterable<Uint8Array>) =>
      (await refusalOf(importRegistry(imports.registry, commandLine, { open }))).errors.map(
        ({ line, code }) => `${line} ${code}`,
      );

    test('has the same lines regardless of the boundaries of chunks', async () => {
      const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '🚀', '\u2028', ' ') });
      await fc.assert(
        fc.asyncProperty(text, fc.array(fc.nat({ max: 40 })), async (content, lengths) => {
          const lines: [number, string | undefined][] = [];
          const open = () => split(Buffer.from(content), lengths);
          for await (const { line, text } of readRecords(imports.registry, { open })) lines.push([line, text]);
          const all = content.split('\n').map((line, at) => [at + 1, line] as const);
          assert.deepEqual(
            lines,
            all.filter(([, line]) => !/^[ \r]*$/.test(line)),
          );
        }),
      );
    });

    test('may have CRLF, blank lines, a byte order mark and no line feed at its end, or be empty', async () => {
      const app = appOf(imports.developerId, 'Line ends');
      const [one, other] = [installationOf(app.id), installationOf(app.id)].map((line) => JSON.stringify(line));
      const text = `\uFEFF${JSON.stringify(app)}\r\n\r\n \t \r\n${one}\r\n${other}`;
      const progress: number[] = [];
      const summary = await importRegistry(imports.registry, commandLine, {
        open: () => split(Buffer.from(text), [100]),
        onProgress: (bytes) => progress.push(bytes),
      });
      assert.deepEqual(summary, created({ apps: 1, installations: 2 }));
      assert.deepEqual(progress, [100, Buffer.byteLength(text)]);
      assert.deepEqual(await imports.import([]), created({}));
    });

    test('is read no further than a line without end, which is refused with its number', async () => {
      const chunk = Buffer.alloc(65_536);
      let bytes = 0;
      const open = async function* () {
        yield Buffer.from(`${JSON.stringify(developerOf())}\n`);
        for (; bytes <= 2 * lineBytesMax; bytes += chunk.length) yield chunk;
      };
      assert.deepEqual(await refusedLines(open), ['2 too_long']);
      assert.ok(bytes <= lineBytesMax);
    });

    test('with bytes that are not UTF-8 is read around them', async () => {
      const open = async function* () {
        yield Buffer.from(`${JSON.stringify(developerOf())}\n{"type":"developer","email":"`);
        yield Buffer.from([0xc3, 0x28]);
        yield Buffer.from('@example.com"}\n{}\n');
      };
      assert.deepEqual(await refusedLines(open), ['2 invalid_format', '3 required']);
    });
  });

  test('a line that is not a record gets its own error', async () => {
    await imports.assertErrors(
      ['{"type":"app",', 'invalid_format'],
      [`{"type":"developer"} {}`, 'invalid_format'],
      [JSON.stringify(developerOf()).padEnd(lineBytesMax)],
      ['null', 'wrong_type'],
      ['[]', 'wrong_type'],
      [{}, '/type required'],
      [{ ...developerOf(), type: 'App' }, '/type not_allowed'],
      [{ ...developerOf(), type: 'toString' }, '/type not_allowed'],
      ['\0', 'invalid_format'],
      [`\ufeff${JSON.stringify(developerOf())}`],
      [JSON.stringify(developerOf()).padEnd(lineBytesMax + 1), 'too_long'],
    );
  });

  test('every field has the same bounds as elsewhere', async () => {
    const app = (given: object) => ({ ...appOf(imports.developerId, `App ${newId('app')}`), ...given });
    const installation = installationOf(newId('app'));
    const logo = { type: 'logo', id: newId('logo'), developerId: imports.developerId, createdAt: time };
    await imports.assertErrors(
      [{ type: 'developer' }, '/userId required', '/email required'],
      [{ ...developerOf(), email: 'nobody', firstName: '' }, '/email invalid_format', '/firstName too_short'],
      [{ ...developerOf(), lastName: 'x'.repeat(101), nickname: 'x' }, '/nickname unknown_field', '/lastName too_long'],
      [{ ...developerOf(), firstName: null }, '/firstName null_not_allowed'],
      [{ type: 'app' }, '/name required', '/id required', '/developerId required', '/createdAt required'],
      [{ type: 'logo' }, '/id required', '/developerId required', '/createdAt required', '/png required'],
      [{ ...logo, png: 'PNG!' }, '/png invalid_format'],
      [app({ name: ' x' }), '/name invalid_format'],
      [app({ reviewStatus: 'NEW' }), '/reviewStatus not_allowed'],
      [app({ rejectionReason: '' }), '/rejectionReason too_short'],
      [app({ logoId: newId('logo') }), '/logoId unusable_logo'],
      [app({ logoId: 'logo' }), '/logoId invalid_format'],
      [app({ revision: 0 }), '/revision not_allowed'],
      [app({ approved: {} }), '/approved/name required', '/approved/revision required'],
      [app({ installationCount: 3 }), '/installationCount read_only_field'],
      [app({ listingInfo: { backgroundColor: 'red' } }), '/listingInfo/backgroundColor invalid_format'],
      [app({ oauthInfo: { x: 'http://example.com/' } }), '/oauthInfo/x unknown_field'],
      [`{"type":"developer","userId":"${newId('user')}","email":"a@b","__proto__":{}}`, '/__proto__ unknown_field'],
      [{ type: 'installation' }, '/appId required', '/workspaceId required', '/userId required', '/createdAt required'],
      [{ ...installation, enabled: 1 }, '/enabled wrong_type'],
    );
  });

  test('an id must be a TypeID of its own kind, or a UUID', async () => {
    const [uuid, id] = [crypto.randomUUID(), newId('app')];
    const ids = { id: '5', workspaceId: newId('user'), userId: newId('workspace') };
    await imports.assertErrors(
      [{ ...developerOf(), userId: id }, '/userId invalid_format'],
      [{ ...appOf(`${uuid}0`, 'Ids 1'), id: newId('logo') }, '/id invalid_format', '/developerId invalid_format'],
      [{ ...appOf(uuid, 'Ids 2'), id: id.toUpperCase() }, '/id invalid_format'],
      [
        { ...installationOf('app'), ...ids },
        ...['/id', '/appId', '/workspaceId', '/userId'].map((pointer) => `${pointer} invalid_format`),
      ],
    );
  });

  test('an impossible history is refused', async () => {
    let number = 0;
    const app = (given: object, name = `Past ${++number}`) => ({ ...appOf(imports.developerId, name), ...given });
    const waiting = { reviewStatus: 'AWAITING_REVIEW' };
    const approvedAt = (revision: number, name: string) => ({ revision: 2, approved: { name, revision } });
    await imports.assertErrors(
      [app({ createdAt: '2024-01-01' }), '/createdAt invalid_format'],
      [app({ createdAt: '2023-02-29T00:00:00Z' }), '/createdAt invalid_format'],
      [app({ updatedAt: '2023-12-31T23:59:59.999Z' }), '/updatedAt not_allowed'],
      [app({ updatedAt: time })],
      [app({ reviewStatus: 'APPROVED', rejectionReason: 'No.' }), '/rejectionReason not_allowed'],
      [app({ submittedAt: time }), '/submittedAt not_allowed'],
      [app({ reviewStatus: 'REJECTED', submittedAt: time }), '/submittedAt not_allowed'],
      [app({ ...waiting, submittedAt: time })],
      [app({ ...waiting, submittedAt: '2024' }), '/submittedAt invalid_format'],
      [app(approvedAt(2, 'Another')), '/approved/revision not_allowed'],
      [app(approvedAt(3, 'Past 20'), 'Past 20'), '/approved/revision not_allowed'],
      [app(approvedAt(1, 'Another'))],
      [{ ...developerOf(), createdAt: time, updatedAt: '2023-01-01T00:00:00Z' }, '/updatedAt not_allowed'],
      [{ ...developerOf(), updatedAt: time }],
    );
  });

  describe('an object that conflicts with another', () => {
    test('is reported when the other is in the registry', async () => {
      const [developer, workspaceId] = [developerOf(), newId('workspace')];
      const [app, other] = [appOf(developer.userId, 'Straße'), appOf(developer.userId, 'Other street')];
      const installation = { ...installationOf(app.id), workspaceId };
      await imports.import([developer, app, other, installation]);
      await imports.assertErrors(
        [{ ...app, developerId: imports.developerId }, '/developerId not_allowed'],
        [appOf(developer.userId, 'STRASSE'), '/name already_exists'],
        [{ ...other, name: 'Straße' }, '/name already_exists'],
        [{ ...installationOf(app.id), id: installation.id }, '/workspaceId not_allowed'],
        [{ ...installation, appId: other.id }, '/appId not_allowed'],
        [{ ...installationOf(app.id), workspaceId }, '/workspaceId already_exists'],
      );
    });

    test('is reported when the other is on an earlier line, near or far', async () => {
      const [developer, workspaceId] = [developerOf(), newId('workspace')];
      const [app, other] = [appOf(developer.userId, 'Twice'), appOf(developer.userId, 'Other')];
      const installation = { ...installationOf(app.id), workspaceId };
      const elsewhere = { ...installationOf(other.id), workspaceId };
      await imports.assertErrors(
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
        [{ ...app, developerId: imports.developerId }, '/developerId not_allowed'],
      );
    });
  });

  describe('a line that refers to another object', () => {
    test('is valid if that object is in the registry or on an earlier line', async () => {
      const [developer, late] = [developerOf(), developerOf()];
      const [app, lateApp] = [appOf(developer.userId, 'Found'), appOf(developer.userId, 'Late')];
      await imports.assertErrors(
        [developer],
        [appOf(late.userId, 'Early'), '/developerId not_found'],
        [late],
        [app],
        [installationOf(lateApp.id), '/appId not_found'],
        [lateApp],
        [installationOf(lateApp.id)],
        [installationOf(newId('app')), '/appId not_found'],
      );
    });

    test('gets no error if the line of that object is invalid', async () => {
      const [developer, unreadable] = [developerOf(), developerOf()];
      const [app, nephew] = [appOf(developer.userId, 'Of an invalid one'), appOf(unreadable.userId, 'Nephew')];
      const [nameless, truncated] = [appOf(developer.userId, 'Nameless'), appOf(developer.userId, 'Truncated')];
      const orphan = appOf(newId('user'), 'Orphan');
      await imports.assertErrors(
        [{ ...developer, email: '' }, '/email too_short'],
        [JSON.stringify(unreadable).slice(0, -1), 'invalid_format'],
        [app],
        [nephew],
        [orphan, '/developerId not_found'],
        [{ ...nameless, name: '' }, '/name too_short'],
        [`${JSON.stringify(truncated)},`, 'invalid_format'],
        ...[app, nephew, orphan, nameless, truncated].map(({ id }): Case => [installationOf(id)]),
        [appOf(imports.developerId, 'Fine')],
        [{ ...appOf(imports.developerId, 'Fine'), id: nameless.id }, '/name already_exists'],
        [installationOf(nameless.id)],
      );
    });
  });

  test('errors of one kind form a group with their number and the first of them', async () => {
    const lines = Array.from({ length: 3_333 }, (_, at) => ({ ...developerOf(), email: '', userId: `old ${at}` }));
    const { detail, groups } = await refusalOf(imports.import(lines));
    assert.equal(detail, '3333 values cannot be accepted. Nothing was changed.');
    const [{ pointer, code, line, count } = assert.fail(), ...others] = groups;
    assert.deepEqual([pointer, code, line, count, others], ['/email', 'too_short', 1, 3_333, []]);
  });

  test('an unlimited number of kinds of errors is counted, and a limited number listed', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => ({ ...developerOf(), [`field${at}`]: 1 }));
    const { detail, groups } = await refusalOf(imports.import(lines));
    assert.match(detail, /^1000 values cannot be accepted/);
    assert.equal(groups.length, 500);
  });

  test('an error shows its values and conflicts, but no personal data', async () => {
    const [developer, { developerId }] = [developerOf(), imports];
    const app = appOf(developer.userId, 'Clashing');
    const invalid = { ...developerOf(), email: 'nobody' };
    const { groups } = await refusalOf(
      imports.import([developer, app, { ...app, developerId }, invalid, { ...app, createdAt: '5' }]),
    );
    assert.deepEqual(
      groups.map(({ examples }) => examples),
      [
        [{ line: 3, value: developerId, clashesWith: { id: app.id, line: 2 } }],
        [{ line: 4 }],
        [{ line: 5, value: '5' }],
      ],
    );
  });

  describe('with rejects', () => {
    /** Imports what can be, and holds what is refused. */
    async function importRest(source: ImportSource, options: { recordsPerStep?: number; dryRun?: boolean } = {}) {
      let text = '';
      const begin = async () => {
        text = '';
      };
      const write = async (lines: string) => {
        text += lines;
      };
      const { refused, ...summary } = await importRegistry(imports.registry, commandLine, {
        ...{ ...source, ...options, rejects: { begin, write } },
      });
      const rejected = text.split('\n').slice(0, -1);
      const about = rejected.map((line) => JSON.parse(line)).map(({ rejected: why, ...record }) => ({ record, why }));
      return { rejected, about, refused, summary };
    }

    for (const recordsPerStep of [undefined, 1, 3]) {
      const how = recordsPerStep === undefined ? 'at once' : `in steps of ${recordsPerStep}`;
      test(`the rest is imported ${how}, and refused records are written with their errors, values and conflicts`, async () => {
        const [good, bad] = [developerOf(), developerOf()];
        const [stored, orphan] = [appOf(good.userId, `${how} stored`), appOf(bad.userId, `${how} orphan`)];
        const lines: Line[] = [
          ...[good, { ...bad, email: 'nobody' }, stored, { ...stored, id: newId('app') }, orphan],
          ...[installationOf(stored.id), installationOf(orphan.id), '{"type":"installation"'],
        ];
        const options = recordsPerStep === undefined ? {} : { recordsPerStep };
        const { about, refused, summary } = await importRest({ open: fileOf(lines) }, options);
        assert.deepEqual(summary, created({ developers: 1, apps: 1, installations: 1 }));
        assert.deepEqual([refused?.records, refused?.errors.length], [5, 5]);
        const [invalid, taken, app, installation, unreadable] = about;
        assert.deepEqual(invalid?.record, lines[1]);
        const detail = 'Another app has this name, in the registry or on an earlier line.';
        const clash = { code: 'already_exists', detail, clashesWith: { id: stored.id, line: 3 } };
        assert.deepEqual(taken?.why.errors, [{ pointer: '/name', value: stored.name, ...clash }]);
        const dependsOnRefused = (pointer: string, id: string, line: number) => ({
          ...{ pointer, code: 'not_found', value: id, clashesWith: { id, line } },
          detail: 'The object that this refers to was also refused. Correct that object first.',
        });
        assert.deepEqual(app?.why, { line: 5, errors: [dependsOnRefused('/developerId', bad.userId, 2)] });
        assert.deepEqual(installation?.why, { line: 7, errors: [dependsOnRefused('/appId', orphan.id, 5)] });
        assert.equal(unreadable?.why.text, lines[7]);
      });
    }

    test('refused records can be corrected and imported', async () => {
      const [developer, app] = [developerOf(), appOf('', 'Corrected')];
      const ofDeveloper = { ...app, developerId: developer.userId };
      const lines = [{ ...developer, email: 'nobody' }, ofDeveloper, installationOf(app.id)];
      const { rejected, summary } = await importRest({ open: fileOf(lines) });
      assert.deepEqual(summary, created({}));
      const corrected = rejected.map((line) => line.replace('"email":"nobody"', '"email":"somebody@example.com"'));
      const again = await importRest({ open: fileOf(corrected) });
      assert.deepEqual(again.summary, created({ developers: 1, apps: 1, installations: 1 }));
      assert.deepEqual([again.refused?.records, again.rejected], [0, []]);
    });

    test('a conflict with an object of the registry has its id and no line', async () => {
      const app = await imports.fixture.newApp();
      const { about } = await importRest({ open: fileOf([appOf(imports.developerId, app.name)]) });
      assert.deepEqual(about[0]?.why.errors[0].clashesWith, { id: app.id });
    });

    test('a row of CSV that repeats another one is incomplete in its line, and so is refused until it is corrected', async () => {
      const [id, { developerId }] = [newId('app'), imports];
      const row = (name: string) => `${id},${developerId},${name},2020-01-01T00:00:00Z\n`;
      const text = `id,developerId,name,createdAt\n${row('First of two')}${row('Second')}`;
      const { rejected, summary } = await importRest({ csv: { files: [csvFile('apps.csv', text)] } });
      assert.equal(summary.apps.created, 1);
      await imports.assertErrors([rejected[0] ?? '', '/id required']);
      assert.equal((await imports.show(id)).name, 'First of two');
    });

    test('a dry run writes the records that would be refused and imports nothing', async () => {
      const stored = await rowCounts(imports.registry);
      const { about, summary } = await importRest({ open: fileOf([developerOf(), {}]) }, { dryRun: true });
      assert.deepEqual([summary.developers.created, about.length], [1, 1]);
      assert.deepEqual(await rowCounts(imports.registry), stored);
    });

    test('a file that is not read to its end is refused as a whole', async () => {
      const stored = await rowCounts(imports.registry);
      const refused = await refusalOf(importRest({ open: fileOf([developerOf(), 'x'.repeat(lineBytesMax + 1)]) }));
      assert.match(refused.detail, /Nothing was changed/);
      await refusalOf(importRest({ csv: { files: [csvFile('developers.csv', 'userId,email\n5,"\n')] } }));
      assert.deepEqual(await rowCounts(imports.registry), stored);
    });
  });

  test('names may be equal where they need not be unique', async () => {
    await updateSettings(imports.registry, commandLine, { update: { uniqueNames: false } });
    await imports.import([appOf(imports.developerId, 'Same'), appOf(imports.developerId, 'Same')]);
  });
});

/** Chunks of these lengths, and the rest. */
async function* split(bytes: Uint8Array, lengths: number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const length of lengths) {
    yield bytes.subarray(start, start + length);
    start += length;
  }
  yield bytes.subarray(start);
}
