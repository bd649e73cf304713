import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, restoreApp } from '@appregistrar/testkit/calls/apps';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, type Line } from '@appregistrar/testkit/registry/import-file';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { listReviewQueue } from '../apps/review/list-review-queue.ts';
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

  const importDrafts = (...lines: Line[]) =>
    importRegistry(fixture.registry, commandLine, { open: fileOf(lines), pendingAs: 'DRAFT' });
  const importSubmissions = (...lines: Line[]) =>
    importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  const statusOf = async (id: string) => (await getAppAsOperator(fixture.registry, id)).reviewStatus;
  const isQueued = async (id: string) =>
    (await listReviewQueue(fixture.registry, { query: { limit: 100 }, showsNotes: true })).items.some(
      ({ app }) => app.id === id,
    );
  const submitted = (name: string) => ({
    ...appOf(fixture.developer.userId, name),
    updatedAt: '2024-03-01T00:00:00.000Z',
    reviewStatus: 'AWAITING_REVIEW',
    submittedAt: '2024-02-01T00:00:00.000Z',
  });

  test('with pendingAs, a submission in the file becomes a draft outside the queue, is counted, and can be submitted', async () => {
    const app = submitted('Pending as a draft');
    const others = ['DRAFT', 'APPROVED', 'REJECTED'].map((reviewStatus) => ({
      ...appOf(fixture.developer.userId, `Imported as ${reviewStatus}`),
      reviewStatus,
    }));
    const { apps, pendingAsDraft } = await importDrafts(app, ...others);
    assert.deepEqual([apps.created, pendingAsDraft], [4, 1]);
    const { reviewStatus, submittedAt, updatedAt } = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual([reviewStatus, submittedAt, updatedAt], ['DRAFT', undefined, app.updatedAt]);
    assert.equal(await isQueued(app.id), false);
    for (const other of others) assert.equal(await statusOf(other.id), other.reviewStatus);
    await fixture.review(app.id, 'submit');
    assert.equal(await isQueued(app.id), true);
  });

  test('without pendingAs, a submission in the file enters the queue, and the summary has no count of drafts', async () => {
    const app = submitted('Pending as it is');
    const summary = await importSubmissions(app);
    assert.equal('pendingAsDraft' in summary, false);
    assert.equal(await isQueued(app.id), true);
  });

  test('the same file with pendingAs a second time changes nothing, and counts the same drafts', async () => {
    const lines = [
      submitted('Twice as a draft'),
      { ...submitted('Deleted twice'), deletedAt: new Date().toISOString() },
    ];
    const first = await importDrafts(...lines);
    const stored = await everything(fixture.registry.storage);
    const second = await importDrafts(...lines);
    assert.deepEqual([first.pendingAsDraft, second.pendingAsDraft, second.apps.unchanged], [2, 2, 2]);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('an app that awaits review here stays in the queue with its time, and is not counted', async () => {
    const [here, imported] = [submitted('Submitted here'), submitted('Submitted by an earlier import')];
    await importDrafts(here);
    await fixture.review(here.id, 'submit');
    await importSubmissions(imported);
    const before = [
      await getAppAsOperator(fixture.registry, here.id),
      await getAppAsOperator(fixture.registry, imported.id),
    ];
    const { apps, pendingAsDraft } = await importDrafts(here, imported);
    assert.deepEqual([apps.unchanged, pendingAsDraft], [2, 0]);
    assert.deepEqual(
      [await getAppAsOperator(fixture.registry, here.id), await getAppAsOperator(fixture.registry, imported.id)],
      before,
    );
  });

  test('an app that was decided here becomes a draft again, because a line updates its app', async () => {
    const app = submitted('Decided since');
    await importDrafts(app);
    await fixture.review(app.id, 'submit');
    await fixture.review(app.id, 'reject');
    const { apps, pendingAsDraft } = await importDrafts(app);
    assert.deepEqual([apps.updated, pendingAsDraft, await statusOf(app.id)], [1, 1, 'DRAFT']);
  });

  test('a line without a review status creates a draft, changes no status, and is not counted', async () => {
    const [fresh, waiting] = [
      appOf(fixture.developer.userId, 'New without a status'),
      submitted('Waits without a status'),
    ];
    await importSubmissions(waiting);
    const { reviewStatus: _, submittedAt: __, ...withoutStatus } = waiting;
    assert.equal((await importDrafts(fresh, withoutStatus)).pendingAsDraft, 0);
    assert.deepEqual([await statusOf(fresh.id), await statusOf(waiting.id)], ['DRAFT', 'AWAITING_REVIEW']);
  });

  test('a deleted app that awaited review in the file does not enter the queue when it is restored', async () => {
    const app = { ...submitted('Deleted and restored'), deletedAt: new Date().toISOString() };
    assert.equal((await importDrafts(app)).pendingAsDraft, 1);
    await restoreApp(fixture.registry, commandLine, app.id);
    assert.deepEqual([await statusOf(app.id), await isQueued(app.id)], ['DRAFT', false]);
  });
});
