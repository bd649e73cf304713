import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
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
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { csvFile } from '../../../test/registry/csv-files.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import type { ImportSource, Rejects } from './import-input.ts';
import { lineBytesMax } from './import-record-schema.ts';
import { importRegistry } from './import-registry.ts';

interface Rejected {
  line: number;
  errors: object[];
  text?: string;
}

/** What is refused, in memory. */
class HeldRejects implements Rejects {
  text = '';

  async begin(): Promise<void> {
    this.text = '';
  }

  async write(lines: string): Promise<void> {
    this.text += lines;
  }

  get lines(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }
}

onSqlite((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importRest = async (source: ImportSource, options: { recordsPerStep?: number; dryRun?: boolean } = {}) => {
    const rejects = new HeldRejects();
    const { refused, ...summary } = await importRegistry(fixture.registry, commandLine, {
      ...source,
      ...options,
      rejects,
    });
    return { rejects, refused, summary };
  };

  for (const recordsPerStep of [undefined, 1, 3]) {
    const inSteps = recordsPerStep === undefined ? {} : { recordsPerStep };
    const how = recordsPerStep === undefined ? 'at once' : `in steps of ${recordsPerStep}`;

    test(`the rest is imported ${how}, and refused records are written with their errors, values and conflicts`, async () => {
      const prefix = `${engine.name} ${how}`;
      const [good, bad] = [developerOf(), developerOf()];
      const stored = appOf(good.userId, `${prefix} stored`);
      const orphan = appOf(bad.userId, `${prefix} orphan`);
      const lines: Line[] = [
        good,
        { ...bad, email: 'nobody' },
        stored,
        { ...appOf(good.userId, `${prefix} stored`), id: newId('app') },
        orphan,
        installationOf(stored.id),
        installationOf(orphan.id),
        '{"type":"installation"',
      ];
      const { rejects, refused, summary } = await importRest({ open: fileOf(lines) }, inSteps);
      assert.deepEqual(summary, created({ developers: 1, apps: 1, installations: 1 }));
      assert.deepEqual([refused?.records, refused?.errors.length], [5, 5]);
      const rejected = rejects.lines.map(({ rejected: about, ...record }) => ({ record, about: about as Rejected }));
      const dependsOnRefused = (pointer: string, value: string, line: number) => ({
        ...{ pointer, code: 'not_found', value },
        detail: 'The object that this refers to was also refused. Correct that object first.',
        clashesWith: { id: value, line },
      });
      assert.deepEqual(
        rejected.slice(2, 4).map(({ about }) => about),
        [
          { line: 5, errors: [dependsOnRefused('/developerId', bad.userId, 2)] },
          { line: 7, errors: [dependsOnRefused('/appId', orphan.id, 5)] },
        ],
      );
      assert.deepEqual(rejected[0]?.record, lines[1]);
      assert.deepEqual(rejected[1]?.about.errors, [
        {
          ...{ pointer: '/name', code: 'already_exists', value: stored.name },
          detail: 'Another app has this name, in the registry or on an earlier line.',
          clashesWith: { id: stored.id, line: 3 },
        },
      ]);
      assert.equal(rejected[4]?.about.text, lines[7]);
      await checkRegistry(fixture.registry);
    });
  }

  test('refused records can be corrected and imported', async () => {
    const [developer, app] = [developerOf(), appOf('', 'Corrected')];
    const lines = [
      { ...developer, email: 'nobody' },
      { ...app, developerId: developer.userId },
      installationOf(app.id),
    ];
    const { rejects, summary } = await importRest({ open: fileOf(lines) });
    assert.deepEqual(summary, created({}));
    const corrected = rejects.text.replace('"email":"nobody"', '"email":"somebody@example.com"');
    const again = await importRest({ open: fileOf(corrected.split('\n').slice(0, -1)) });
    assert.deepEqual(
      [again.summary, again.refused?.records],
      [created({ developers: 1, apps: 1, installations: 1 }), 0],
    );
    assert.equal(again.rejects.text, '');
  });

  test('a conflict with an object of the registry has its id and no line', async () => {
    const app = await fixture.newApp();
    const { rejects } = await importRest({ open: fileOf([appOf(fixture.developer.userId, app.name)]) });
    const [{ rejected }] = rejects.lines as [{ rejected: { errors: { clashesWith: object }[] } }];
    assert.deepEqual(rejected.errors[0]?.clashesWith, { id: app.id });
  });

  test('a row of CSV that repeats another one is incomplete in its line, and so is refused until it is corrected', async () => {
    const [id, { userId }] = [newId('app'), fixture.developer];
    const text = `id,developerId,name,createdAt\n${id},${userId},First of two,2020-01-01T00:00:00Z\n${id},${userId},Second,2020-01-01T00:00:00Z\n`;
    const { rejects, summary } = await importRest({ csv: { files: [csvFile('apps.csv', text)] } });
    assert.equal(summary.apps.created, 1);
    const again = await refusalOf(
      importRegistry(fixture.registry, commandLine, { open: fileOf(rejects.text.split('\n').slice(0, -1)) }),
    );
    assert.deepEqual(
      again.groups.map(({ pointer, code }) => [pointer, code]),
      [['/id', 'required']],
    );
    assert.equal((await getAppAsOperator(fixture.registry, id)).name, 'First of two');
  });

  test('a dry run writes the records that would be refused and imports nothing', async () => {
    const stored = await rowCounts(fixture.registry);
    const { rejects, summary } = await importRest({ open: fileOf([developerOf(), {}]) }, { dryRun: true });
    assert.deepEqual([summary.developers.created, rejects.lines.length], [1, 1]);
    assert.deepEqual(await rowCounts(fixture.registry), stored);
  });

  test('a file that is not read to its end is refused as a whole', async () => {
    const stored = await rowCounts(fixture.registry);
    const refused = await refusalOf(importRest({ open: fileOf([developerOf(), 'x'.repeat(lineBytesMax + 1)]) }));
    assert.match(refused.detail, /Nothing was changed/);
    await refusalOf(importRest({ csv: { files: [csvFile('developers.csv', 'userId,email\n5,"\n')] } }));
    assert.deepEqual(await rowCounts(fixture.registry), stored);
  });
});
