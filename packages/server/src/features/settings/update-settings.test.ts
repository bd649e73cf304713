import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp, deleteApp } from '@appregistrar/testkit/calls/apps';
import { getSettings, updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { commandLine } from '../../kernel/registry.ts';
import type { PreconditionFailed } from '../../kernel/revision.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { openRegistry } from './settings.ts';

forEachEngine((engine) => {
  const at = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => at });
  });
  after(() => fixture.close());

  const update = (given: unknown, ifRevision?: number[]) =>
    updateSettings(fixture.registry, commandLine, { update: given, ifRevision });

  test('a new database has the defaults, at revision 1', async () => {
    const { etag, ...settings } = await getSettings(fixture.registry);
    assert.deepEqual(settings, { uniqueNames: true, changesToApproved: 'live', reviewTargetHours: 48, revision: 1 });
  });

  test('a change is recorded with the values before and after, and increments the revision', async () => {
    const [event, ...others] = await eventsDuring(fixture.registry, async () => {
      const { etag, updatedAt, ...settings } = await update({ uniqueNames: false });
      assert.deepEqual(settings, { uniqueNames: false, changesToApproved: 'live', reviewTargetHours: 48, revision: 2 });
      assert.equal(updatedAt, new Date(at).toISOString());
    });
    assert.deepEqual(others, []);
    assert.ok(event);
    const { type, occurred_at, app_id, subject_id, actor, before, after: afterwards } = event;
    assert.deepEqual(
      { type, occurred_at, app_id, subject_id, actor, before, after: afterwards },
      {
        type: 'settings.updated',
        occurred_at: at,
        app_id: null,
        subject_id: 'settings',
        actor: 'command-line:demo',
        before: { uniqueNames: true },
        after: { uniqueNames: false },
      },
    );
    const settings = contentOf(await getSettings(fixture.registry));
    assert.deepEqual(settings, { uniqueNames: false, changesToApproved: 'live', reviewTargetHours: 48, revision: 2 });
  });

  test('the same values again, and none, change nothing', async () => {
    const events = await eventsDuring(fixture.registry, async () => {
      const before = await getSettings(fixture.registry);
      assert.deepEqual(await update({ uniqueNames: before.uniqueNames }), before);
      assert.deepEqual(await update({}), before);
    });
    assert.deepEqual(events, []);
  });

  test('all invalid values and unknown settings are reported at once', async () => {
    for (const [given, ...errors] of [
      [{ uniqueNames: 'no', unknown: 1, revision: 3 }, '/unknown', '/revision', '/uniqueNames wrong_type'],
      [{ uniqueNames: null }, '/uniqueNames null_not_allowed'],
      [{ reviewTargetHours: 0 }, '/reviewTargetHours not_allowed'],
      [{ reviewTargetHours: 1.5 }, '/reviewTargetHours wrong_type'],
      [[], ' wrong_type'],
    ] as const) {
      const failure = await assertRefused(fixture.registry, () => update(given), 'invalid_content');
      const reported = validationErrorsOf(failure);
      assert.equal(reported.length, errors.length);
      for (const [index, error] of errors.entries()) assert.match(reported[index] ?? '', new RegExp(`^${error}`));
    }
  });

  test('another revision is refused with the tag of the current one', async () => {
    const { revision, etag } = await getSettings(fixture.registry);
    const late = () => update({ uniqueNames: true }, [revision - 1]);
    const refusal = await assertRefused(fixture.registry, late, 'precondition_failed');
    assert.equal((refusal as PreconditionFailed).etag, etag);
    const { uniqueNames } = await update({ uniqueNames: true }, [revision]);
    assert.equal(uniqueNames, true);
  });

  test('has effect on the next change that another process makes', async () => {
    const { storage: _, ...settings } = fixture.registry;
    const other = await openRegistry(await openStorage(fixture.databaseUrl), settings);
    const create = () => createApp(other, commandLine, { developerId: fixture.developer.id, name: 'Everywhere' });
    await create();
    for (let count = 0; count < 3; count += 1) {
      await update({ uniqueNames: true });
      await assertRefused(other, create, 'name_taken');
      await update({ uniqueNames: false });
      const app = await create();
      await deleteApp(other, commandLine, { appId: app.id });
    }
    await other.storage.close();
  });

  test('retains settings that only a newer release knows', async () => {
    const [row] = await rowsOf(fixture.registry.storage, 'settings');
    const content = JSON.stringify({ ...JSON.parse(row?.content ?? ''), newer: 'value' });
    await fixture.registry.storage.write((transaction) =>
      execute(transaction, `update settings set content = '${content}'`),
    );
    await update({ uniqueNames: false });
    const [after] = await rowsOf(fixture.registry.storage, 'settings');
    assert.deepEqual(JSON.parse(after?.content ?? ''), { uniqueNames: false, newer: 'value' });
    assert.deepEqual(Object.keys(await getSettings(fixture.registry)).toSorted(), [
      'changesToApproved',
      'etag',
      'reviewTargetHours',
      'revision',
      'uniqueNames',
      'updatedAt',
    ]);
  });

  test('changes are held without a choice while none is undecided', async () => {
    assert.equal((await update({ changesToApproved: 'hold' })).changesToApproved, 'hold');
    await update({ changesToApproved: 'live' });
  });
});
