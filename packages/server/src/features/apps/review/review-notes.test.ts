import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp } from '@appregistrar/testkit/calls/apps';
import { createAppNote, deleteAppNote, listAppNotes } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import { assertRefused, contentOf, eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../../kernel/ids.ts';
import { type Caller, commandLine } from '../../../kernel/registry.ts';
import { observeClock } from '../../../kernel/time.ts';
import { purgeDeletedApps } from '../deleted-apps.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const dayMs = 86_400_000;
const other: Caller = { actor: 'command-line:rui', requestId: null };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const add = (appId: string, text: string, caller = commandLine) =>
    createAppNote(fixture.registry, caller, { appId, note: { text } });
  const remove = (appId: string, noteId: string, ofAnyone = false) =>
    deleteAppNote(fixture.registry, commandLine, { appId, noteId, ofAnyone });
  const list = (appId: string, query: object = {}) => listAppNotes(fixture.registry, { appId, query });
  const textsOf = async (appId: string, query: object = {}) => (await list(appId, query)).items.map(({ text }) => text);

  test('the notes about an app are listed newest first, with who wrote them, and those of no other app', async () => {
    const [app, another] = [await fixture.newApp(), await fixture.newApp()];
    const first = await add(app.id, 'First\nof two lines');
    assert.deepEqual(contentOf(first), {
      id: first.id,
      text: 'First\nof two lines',
      actor: 'command-line:demo',
      actorName: 'demo',
      createdAt: '2026-03-01T09:30:00.000Z',
    });
    await add(app.id, 'Second', other);
    await add(app.id, 'Third');
    await add(another.id, 'Elsewhere');
    assert.deepEqual(await textsOf(app.id), ['Third', 'Second', 'First\nof two lines']);
    assert.deepEqual((await list(app.id)).items.at(-1), first);
    const page = await list(app.id, { limit: 2 });
    const next = await list(app.id, { limit: 2, cursor: page.nextCursor });
    assert.deepEqual(next.items, [first]);
    assert.deepEqual((await list(app.id, { limit: 2, cursor: next.prevCursor })).items, page.items);
    await assertRefused(fixture.registry, () => list(another.id, { cursor: page.nextCursor }), 'invalid_content');
  });

  test('a note can be deleted by its author, or by a caller who may delete any', async () => {
    const { id } = await fixture.newApp();
    const [mine, theirs] = [await add(id, 'Mine'), await add(id, 'Theirs', other)];
    await assertRefused(fixture.registry, () => remove(id, theirs.id), 'insufficient_scope');
    assert.deepEqual(await remove(id, mine.id), mine);
    await assertRefused(fixture.registry, () => remove(id, mine.id), 'note_not_found');
    assert.deepEqual(await remove(id, theirs.id, true), theirs);
    assert.deepEqual(await textsOf(id), []);
  });

  test('notes stay with a deleted app while it can be restored, and go when it is purged', async () => {
    const [restored, purged] = [await fixture.newApp(), await fixture.newApp()];
    for (const { id } of [restored, purged]) {
      await add(id, 'Kept');
      await deleteApp(fixture.registry, commandLine, { appId: id });
      await assertRefused(fixture.registry, () => list(id), 'app_not_found');
      await assertRefused(fixture.registry, () => add(id, 'Too late'), 'app_not_found');
    }
    await restoreApp(fixture.registry, commandLine, restored.id);
    await observeClock(fixture.registry);
    now += 31 * dayMs;
    assert.equal(await purgeDeletedApps(fixture.registry), 1);
    assert.deepEqual(await textsOf(restored.id), ['Kept']);
    const left = await rowsOf(fixture.registry.storage, 'review_notes');
    assert.ok(left.every(({ app_id }) => app_id !== purged.id));
  });

  test('no event and no export contains a note', async () => {
    const { id } = await fixture.newApp();
    const events = await eventsDuring(fixture.registry, async () => {
      const note = await add(id, 'For reviewers alone');
      await add(id, 'For reviewers alone');
      await remove(id, note.id);
    });
    assert.deepEqual(events, []);
    assert.ok(!(await exportText(fixture.registry)).includes('For reviewers alone'));
  });

  test('an unknown app, an unknown note, a note of another app and an empty text are refused', async () => {
    const [app, another] = [await fixture.newApp(), await fixture.newApp()];
    const note = await add(another.id, 'Of another');
    await assertRefused(fixture.registry, () => add(newId('app'), 'No'), 'app_not_found');
    await assertRefused(fixture.registry, () => add('app_1', 'No'), 'app_not_found');
    await assertRefused(fixture.registry, () => list('app_1'), 'app_not_found');
    await assertRefused(fixture.registry, () => add(app.id, ' '), 'invalid_content');
    await assertRefused(fixture.registry, () => add(app.id, 'x'.repeat(2_001)), 'invalid_content');
    await assertRefused(fixture.registry, () => remove(app.id, note.id, true), 'note_not_found');
    await assertRefused(fixture.registry, () => remove(app.id, newId('note')), 'note_not_found');
    await assertRefused(fixture.registry, () => remove(app.id, "' or 1=1"), 'note_not_found');
  });
});
