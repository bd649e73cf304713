import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { appOf, created, fileOf, installationOf, rowCounts } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { someoneWaits } from '@appregistrar/testkit/storage/storage-test';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { completeContent } from '../apps/app-content.ts';
import { findAppForUpdate } from '../apps/app-queries.ts';
import { newAppRow } from '../apps/next-app.ts';
import { importRegistry } from './import-registry.ts';

test('an import that loses a deadlock is retried from the start of its file', on(postgres), async () => {
  const fixture = await RegistryFixture.open(postgres);
  const { registry, developer } = fixture;
  const held = await fixture.newApp();
  const wanted = appOf(developer.userId, 'Wanted by two');
  const stored = await rowCounts(registry);
  let opened = 0;
  const open = () => {
    opened += 1;
    return fileOf([wanted, installationOf(held.id)])();
  };

  let importing: ReturnType<typeof importRegistry> | undefined;
  const rival = registry.storage.write(async (transaction) => {
    await findAppForUpdate(transaction, { id: held.id });
    // The transaction that detects the deadlock is aborted.
    await transaction.run(statement(registry, `set local deadlock_timeout = '10min'`));
    importing = importRegistry(registry, commandLine, { open });
    // The app is stored, and the installation waits for its app.
    await someoneWaits(registry.storage);
    await transaction.insertNew('apps', [rivalRow(fixture, wanted.name)]);
    throw new Error('the rival is aborted');
  });
  await assert.rejects(rival, /the rival is aborted/);

  assert.deepEqual(await importing, created({ apps: 1, installations: 1 }));
  assert.equal(opened, 2);
  assert.equal((await getAppAsOperator(registry, held.id)).installationCount, 1);
  const { apps = 0, installations = 0, events = 0 } = stored;
  assert.deepEqual(await rowCounts(registry), {
    ...stored,
    apps: apps + 1,
    installations: installations + 1,
    events: events + 2,
  });
  await fixture.close();
});

function rivalRow(fixture: RegistryFixture, name: string) {
  const developerId = fixture.developer.userId;
  const row = newAppRow(fixture.registry, { id: newId('app'), developerId, content: completeContent({ name }) });
  return { ...row, name_claim: row.name_key };
}

function statement({ storage }: Registry, sql: string) {
  return { ...storage.reader.builder.selectFrom('apps').compile(), sql, parameters: [] };
}
