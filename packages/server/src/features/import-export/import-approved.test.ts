import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, type Line } from '@appregistrar/testkit/registry/import-file';
import { eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { importRegistry } from './import-registry.ts';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(async () => {
    await checkRegistry(fixture.registry);
    await fixture.close();
  });

  const importLines = (...lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  const lineOf = (id: string, name: string) => ({
    ...appOf(fixture.developer.userId, name),
    id,
    reviewStatus: 'APPROVED',
  });
  const update = (appId: string, name: string) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: { name } });

  /** The app is approved with its current content. */
  async function assertApproved(id: string, name: string): Promise<void> {
    const { reviewStatus, approved, revision, changedSinceApproval } = await getAppAsOperator(fixture.registry, id);
    assert.deepEqual(
      { reviewStatus, name: approved?.name, revision: approved?.revision, changedSinceApproval },
      { reviewStatus: 'APPROVED', name, revision, changedSinceApproval: false },
    );
  }

  test('a new app that is APPROVED in the file is approved as imported', async () => {
    const app = { ...appOf(fixture.developer.userId, 'New and approved'), reviewStatus: 'APPROVED', revision: 7 };
    await importLines(app);
    await assertApproved(app.id, app.name);
  });

  for (const status of ['DRAFT', 'AWAITING_REVIEW', 'REJECTED', 'APPROVED'] as const) {
    test(`an app that is ${status} here and APPROVED in the file is approved as imported`, async () => {
      const { id } = await fixture.newApp({ status });
      await importLines(lineOf(id, `Imported over ${status}`));
      await assertApproved(id, `Imported over ${status}`);
    });
  }

  test('a change that the file reverts is no longer a change, and a second import changes nothing', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await update(app.id, 'Changed since its approval');
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).changedSinceApproval, true);
    const line = lineOf(app.id, app.name);
    const [event] = await eventsDuring(fixture.registry, () => importLines(line));
    assert.deepEqual([event?.before?.approvedRevision, event?.after?.approvedRevision], [1, 3]);
    await assertApproved(app.id, app.name);
    assert.equal((await importLines(line)).apps.unchanged, 1);
  });

  test('an app that is APPROVED but for a suspension is approved as imported, if the file does not say how', async () => {
    const suspension = { at: '2026-01-01T00:00:00.000Z', reason: 'It sends spam.' };
    const developer = { type: 'developer', userId: newId('user'), email: 'ada@example.com', suspension };
    const app = {
      ...appOf(developer.userId, 'Approved before the suspension'),
      reviewStatus: 'REJECTED',
      suspendedStatus: 'APPROVED',
    };
    await importLines(developer, app);
    await unsuspendDeveloper(fixture.registry, commandLine, developer.userId);
    await assertApproved(app.id, app.name);
  });

  test('a line that is APPROVED approves its content, also where that is a held change', async () => {
    await updateSettings(fixture.registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
    const { id } = await fixture.newApp({ status: 'APPROVED' });
    await update(id, 'Held here');
    await importLines(lineOf(id, 'Held here'));
    await assertApproved(id, 'Held here');
    await updateSettings(fixture.registry, commandLine, { update: { changesToApproved: 'live' } });
  });

  test('a line without a review status leaves the approval as it was: its content is a change', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const { reviewStatus: _, ...line } = lineOf(app.id, 'Changed by a line');
    await importLines(line);
    const { approved, changedSinceApproval, reviewStatus } = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual([reviewStatus, approved?.name, changedSinceApproval], ['APPROVED', app.name, true]);
  });
});
