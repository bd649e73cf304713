import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { catchUp } from '../features/apps/comparison/projections.ts';
import { updateApp } from '../features/apps/update-app.ts';
import { checkRegistry, type InconsistentRegistry } from '../features/integrity/check-registry.ts';
import { commandLine } from '../kernel/registry.ts';
import { assessDatabase } from '../open-database.ts';
import { advanceSequences } from './schema.ts';

/** As logical replication leaves them: with rows, and at their start. */
test(
  'with sequences behind their tables no change is half stored, and check names what advances them',
  on(postgres),
  async () => {
    const fixture = await RegistryFixture.open(postgres);
    const { registry, developer } = fixture;
    const { storage } = registry;
    await createWebhook(registry, commandLine, { url: 'https://receiver.example/hooks' });
    const app = await fixture.newApp();
    await catchUp(registry);
    for (const table of ['deliveries', 'search_texts']) {
      await storage.write((transaction) => execute(transaction, `alter table ${table} alter column position restart`));
    }

    const before = await everything(storage);
    const update = (name: string) =>
      updateApp(registry, commandLine, { appId: app.id, developerId: developer.id, update: { name } });
    await assert.rejects(update('Refused'), { name: 'NotUnique', constraint: 'deliveries_pkey' });
    assert.deepEqual(await everything(storage), before);
    await assert.rejects(checkRegistry(registry), ({ findings }: InconsistentRegistry) => {
      assert.deepEqual(
        findings.map(({ pointer, code }) => `${pointer} ${code}`),
        ['/deliveries/position sequence_behind', '/search_texts/position sequence_behind'],
      );
      assert.match(findings[0]?.detail ?? '', /"app-registry migrate" advances it/);
      return true;
    });

    const [log, other] = [new CapturedLog(), new CapturedLog()];
    await Promise.all([assessDatabase(storage, log.logger), assessDatabase(storage, other.logger)]);
    assert.deepEqual(
      [...log.lines, ...other.lines].flatMap(({ table, msg }) => (/was behind its rows/.test(msg) ? [table] : [])),
      ['deliveries', 'search_texts'],
    );
    await update('Stored');
    await checkRegistry(registry);
    assert.deepEqual(await advanceSequences(storage), []);
    await fixture.close();
  },
);
