import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import {
  appOf,
  created,
  developerOf,
  fileOf,
  installationOf,
  refusalOf,
  rowCounts,
  unchanged,
} from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { importRegistry } from './import-registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  test('an import in steps has the same result as a single one, and repeating it changes nothing', async () => {
    const other = await RegistryFixture.open(engine);
    const developer = { ...developerOf(), createdAt: '2024-01-01T00:00:00.000Z' };
    const apps = Array.from({ length: 5 }, (_, at) => appOf(developer.userId, `Step ${at}`));
    const lines = [developer, ...apps, ...apps.flatMap(({ id }) => [installationOf(id), installationOf(id)])];
    const counts = { developers: 1, apps: 5, installations: 10 };
    for (const [recordsPerStep, expected] of [
      [4, created(counts)],
      [3, unchanged(counts)],
    ] as const) {
      const summary = await importRegistry(fixture.registry, commandLine, { open: fileOf(lines), recordsPerStep });
      assert.deepEqual(summary, expected);
    }
    await importRegistry(other.registry, commandLine, { open: fileOf(lines) });
    const imported = lines.map((line) => String('id' in line ? line.id : line.userId));
    const importedIn = async ({ registry }: RegistryFixture) =>
      (await exportText(registry)).split('\n').filter((line) => imported.some((id) => line.includes(id)));
    assert.deepEqual(await importedIn(fixture), await importedIn(other));
    assert.equal((await getAppAsOperator(fixture.registry, apps[4]?.id ?? '')).installationCount, 2);
    await checkRegistry(fixture.registry);
    await other.close();
  });

  test('the steps before an invalid record stay, and the refusal reports how many records they have', async () => {
    const stored = await rowCounts(fixture.registry);
    const developer = developerOf();
    // A batch of records has one type, and a step has whole batches.
    const lines = [developer, appOf(developer.userId, 'Before'), { ...developerOf(), email: '' }, developerOf()];
    const { detail, errors } = await refusalOf(
      importRegistry(fixture.registry, commandLine, { open: fileOf(lines), recordsPerStep: 2 }),
    );
    assert.deepEqual(
      [detail, errors.map(({ line }) => line)],
      [
        'One value cannot be accepted. The 2 records before these were imported. Correct the file and import it again.',
        [3],
      ],
    );
    const counts = await rowCounts(fixture.registry);
    assert.deepEqual([counts.developers, counts.apps], [(stored.developers ?? 0) + 1, (stored.apps ?? 0) + 1]);
  });

  test('a dry run in steps imports nothing', async () => {
    const stored = await rowCounts(fixture.registry);
    const lines = [developerOf(), developerOf()];
    await importRegistry(fixture.registry, commandLine, { open: fileOf(lines), recordsPerStep: 1, dryRun: true });
    assert.deepEqual(await rowCounts(fixture.registry), stored);
  });
});
