import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  deleteApp,
  getAppAsOperator,
  restoreApp,
  transferApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import { createDeveloper, getDeveloper, getDeveloperRecord } from '@appregistrar/testkit/calls/developers';
import { claimApp, listReviewQueue, reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { appOf, fileOf, type Line } from '@appregistrar/testkit/registry/import-file';
import { assertRefused, eventsDuring, validationErrorsOf, withoutTags } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../../kernel/registry.ts';
import { importRegistry } from '../../import-export/import-registry.ts';
import type { OperatorApp } from '../app-schemas.ts';
import type { QueueItem } from './review-queue.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const awaiting = { reviewStatus: 'AWAITING_REVIEW' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const list = (query: object = {}) => listReviewQueue(fixture.registry, { query, showsNotes: true });
  const namesOf = async (query: object = {}) => (await list(query)).items.map(({ app }) => app.name);
  const since = async (id: string) => (await getAppAsOperator(fixture.registry, id)).submittedAt;
  const submitAt = async (id: string, at: number) => {
    now = at;
    await fixture.review(id, 'submit');
  };
  const importLines = (...lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  const importedApp = (name: string, given: object) => ({ ...appOf(fixture.developer.id, name), ...given });

  test('the longest-waiting app is first, whenever it was created, and each shows its submission time', async () => {
    assert.deepEqual(await list(), { items: [] });
    const [one, two, three] = [
      await fixture.newApp({ name: 'One' }),
      await fixture.newApp({ name: 'Two' }),
      await fixture.newApp({ name: 'Three' }),
    ];
    await fixture.newApp({ name: 'Draft' });
    await submitAt(two.id, start + 1_000);
    await submitAt(three.id, start + 2_000);
    await submitAt(one.id, start + 3_000);
    assert.deepEqual(await namesOf(), ['Two', 'Three', 'One']);
    assert.deepEqual((await list({ view: 'full' })).items[0]?.app, await appView(two.id));
    assert.equal(await since(two.id), '2026-03-01T09:30:01.000Z');
    now = start + 4_000;
    await fixture.review(two.id, 'withdraw');
    assert.deepEqual([await namesOf(), await since(two.id)], [['Three', 'One'], undefined]);
    await submitAt(two.id, start + 5_000);
    assert.deepEqual([await namesOf(), await since(two.id)], [['Three', 'One', 'Two'], '2026-03-01T09:30:05.000Z']);
    await fixture.review(three.id, 'approve');
    await fixture.review(one.id, 'reject');
    assert.deepEqual([await namesOf(), await since(three.id), await since(one.id)], [['Two'], undefined, undefined]);
    await fixture.review(two.id, 'reject');
  });

  test('pages lead forwards and backwards, even among apps submitted at the same time', async () => {
    const times = [...['1970-01-01T00:00:00.009Z', '1969-12-31T23:59:59.000Z', '1970-01-01T00:00:01.000Z']];
    const lines = times.flatMap((submittedAt, at) => [
      importedApp(`Old ${at}`, { ...awaiting, submittedAt }),
      importedApp(`Old ${at} too`, { ...awaiting, submittedAt }),
    ]);
    await importLines(...lines);
    const order = ['Old 1', 'Old 1 too', 'Old 0', 'Old 0 too', 'Old 2', 'Old 2 too'];
    assert.deepEqual(await namesOf(), order);
    const pages = [await list({ limit: 1 })];
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await list({ limit: 1, cursor }));
    }
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ app }) => app.name)),
      order,
    );
    assert.deepEqual(await namesOf({ limit: 4, cursor: pages.at(-1)?.prevCursor }), order.slice(1, 5));
    for (const { id } of lines) await fixture.review(id, 'withdraw');
  });

  test('the queue can be listed by kind, by developer and newest first, forwards and backwards', async () => {
    const other = fixture.otherDeveloper;
    const submitted = await fixture.newApp({ name: 'Submitted' });
    const changed = await fixture.newApp({ name: 'Changed', status: 'APPROVED' });
    const transferred = await fixture.newApp({ name: 'Transferred', status: 'APPROVED' });
    await submitAt(submitted.id, now + 1_000);
    now += 1_000;
    await updateAppAsOperator(fixture.registry, commandLine, { appId: changed.id, update: { name: 'Changed again' } });
    now += 1_000;
    await transferApp(fixture.registry, commandLine, {
      appId: transferred.id,
      transfer: { developerId: other.id },
    });
    assert.deepEqual(await namesOf({ kind: 'submission' }), ['Submitted']);
    assert.deepEqual(await namesOf({ kind: 'change' }), ['Changed again']);
    assert.deepEqual(await namesOf({ kind: 'transfer' }), ['Transferred']);
    assert.deepEqual(await namesOf({ developerId: other.id }), ['Transferred']);
    assert.deepEqual(await namesOf({ kind: 'change', developerId: other.id }), []);
    const newest = ['Transferred', 'Changed again', 'Submitted'];
    assert.deepEqual(await namesOf({ sort: '-waitingSince' }), newest);
    const first = await list({ sort: '-waitingSince', limit: 1 });
    const second = await list({ sort: '-waitingSince', limit: 1, cursor: first.nextCursor });
    assert.deepEqual(second.items[0]?.app.name, 'Changed again');
    assert.deepEqual((await list({ sort: '-waitingSince', limit: 1, cursor: second.prevCursor })).items, first.items);
    await assertRefused(fixture.registry, () => list({ limit: 1, cursor: first.nextCursor }), 'invalid_content');
    await assertRefused(fixture.registry, () => list({ developerId: 'nobody' }), 'invalid_content');
    await assertRefused(fixture.registry, () => list({ kind: 'revocation' }), 'invalid_content');
    await fixture.review(submitted.id, 'withdraw');
    await fixture.review(changed.id, 'approve');
    await fixture.review(transferred.id, 'approve');
  });

  test('invalid page parameters are refused', async () => {
    const lines = [
      await fixture.newApp({ status: 'AWAITING_REVIEW' }),
      await fixture.newApp({ status: 'AWAITING_REVIEW' }),
    ];
    const { nextCursor = '' } = await list({ limit: 1 });
    const [, name] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
    const cursorOf = (side: string, ...values: string[]) =>
      Buffer.from(JSON.stringify([side, name, ...values])).toString('base64url');
    for (const cursor of [
      cursorOf('after', 'app_1'),
      cursorOf('after', 'soon', 'app_1'),
      cursorOf('after', '1e3', 'x'),
      cursorOf('after', '', ''),
    ]) {
      const refusal = await assertRefused(fixture.registry, () => list({ cursor }), 'invalid_content');
      assert.deepEqual(validationErrorsOf(refusal), ['cursor invalid_format']);
    }
    const refusal = await assertRefused(fixture.registry, () => list({ limit: 0, status: 'DRAFT' }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(refusal), ['status unknown_field', 'limit not_allowed']);
    for (const { id } of lines) await fixture.review(id, 'withdraw');
  });

  test('an imported app waits since the time in its record, or else since its last change, or else since now', async () => {
    const updatedAt = '2025-06-01T00:00:00.000Z';
    const withTime = importedApp('With time', { ...awaiting, updatedAt, submittedAt: '2025-05-01T00:00:00.000Z' });
    const withoutTime = importedApp('Without time', { ...awaiting, updatedAt });
    const draft = importedApp('Was a draft', {});
    await importLines(withTime, withoutTime, draft);
    assert.deepEqual([await since(withTime.id), await since(withoutTime.id)], ['2025-05-01T00:00:00.000Z', updatedAt]);
    now = start + 10_000;
    await importLines({ ...draft, ...awaiting });
    assert.equal(await since(draft.id), new Date(now).toISOString());
    now += 1_000;
    await importLines(withTime, withoutTime, { ...draft, ...awaiting }, { ...withTime, submittedAt: undefined });
    assert.deepEqual(await namesOf(), ['With time', 'Without time', 'Was a draft']);
    assert.deepEqual([await since(withTime.id), await since(withoutTime.id)], ['2025-05-01T00:00:00.000Z', updatedAt]);
    assert.equal(await since(draft.id), new Date(now - 1_000).toISOString());
  });

  test('an export preserves the position in the queue', async () => {
    const submittedAt = '2025-05-01T00:00:00.000Z';
    const app = importedApp('Exported', { ...awaiting, updatedAt: '2025-06-01T00:00:00.000Z', submittedAt });
    await importLines(app);
    const target = await RegistryFixture.open(engine);
    await importText(target.registry, await exportText(fixture.registry));
    const queues = [await listReviewQueue(target.registry, { query: {}, showsNotes: true }), await list()];
    const [imported, exported] = queues.map(({ items }) => items.map(withoutTags));
    assert.deepEqual(imported, exported);
    assert.equal((await getAppAsOperator(target.registry, app.id)).submittedAt, submittedAt);
    await target.close();
  });

  test('another submission time is a change, which its event records', async () => {
    const app = importedApp('Moved', { ...awaiting, submittedAt: '2025-05-01T00:00:00.000Z' });
    await importLines(app);
    const events = await eventsDuring(fixture.registry, () =>
      importLines({ ...app, submittedAt: '2025-04-01T00:00:00.000Z' }),
    );
    assert.deepEqual(
      events.map(({ type, before: old, after: new_ }) => [type, old, new_]),
      [['app.updated', { submittedAt: '2025-05-01T00:00:00.000Z' }, { submittedAt: '2025-04-01T00:00:00.000Z' }]],
    );
    assert.equal(await since(app.id), '2025-04-01T00:00:00.000Z');
  });

  test('a restored app retains its submission time', async () => {
    const app = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    now += 60_000;
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    assert.ok(!(await namesOf()).includes(app.name));
    assert.equal((await restoreApp(fixture.registry, commandLine, app.id)).submittedAt, app.submittedAt);
  });

  test('an item shows what differs from the approved content, and between which revisions', async () => {
    const listingInfo = { shortDescription: 'Short.' };
    const { id, name } = await fixture.newApp({ status: 'APPROVED', listingInfo });
    now += 1_000;
    await update(id, { name: `${name} 2`, listingInfo: { shortDescription: null, backgroundColor: '#123' } });
    now += 1_000;
    await update(id, { oauthInfo: { callbackUrl: 'https://a.example/' } });
    const { app, sinceLastDecision, developer, developerCounts, ...item } = await itemOf(id);
    assert.deepEqual(app, await appView(id));
    const { etag: _, ...approved } = app.approved ?? assert.fail();
    assert.deepEqual(approved, {
      revision: 1,
      name,
      listingInfo: { shortDescription: 'Short.', backgroundColor: '#ffffff' },
      oauthInfo: { callbackUrl: null },
    });
    assert.deepEqual(item, {
      kind: 'change',
      waitingSince: new Date(now - 1_000).toISOString(),
      dueAt: new Date(now - 1_000 + 48 * 3_600_000).toISOString(),
      fields: ['name', 'listingInfo.shortDescription', 'listingInfo.backgroundColor', 'oauthInfo.callbackUrl'],
      warnings: [
        {
          code: 'host_changed',
          field: 'oauthInfo.callbackUrl',
          detail: 'The host is a.example. When approved, there was none.',
        },
      ],
      reviewSteps: ['approve', 'revoke'],
    });
    assert.deepEqual((await getAppAsOperator(fixture.registry, id)).reviewSteps, ['approve', 'revoke']);
    await fixture.review(id, 'approve');
  });

  test('an item is due after the hours of the setting', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await updateSettings(fixture.registry, commandLine, { update: { reviewTargetHours: 1 } });
    const { waitingSince, dueAt } = await itemOf(id);
    assert.equal(Date.parse(dueAt) - Date.parse(waitingSince), 3_600_000);
    await updateSettings(fixture.registry, commandLine, { update: { reviewTargetHours: 48 } });
    await fixture.review(id, 'withdraw');
  });

  test('an app that was never approved shows all of its content, without a decision to compare with', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const { kind, fields, sinceLastDecision } = await itemOf(id);
    assert.deepEqual([kind, sinceLastDecision], ['submission', undefined]);
    assert.deepEqual(fields, ['name', 'listingInfo.backgroundColor']);
    await fixture.review(id, 'withdraw');
  });

  test('a resubmission shows whether anything has changed since the last decision', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const details = { code: 'incomplete', message: 'Describe it.', note: 'Second time.' };
    await reviewApp(fixture.registry, commandLine, { appId: id, step: 'reject', details });
    await fixture.review(id, 'submit');
    const { sinceLastDecision } = await itemOf(id);
    const { decision, ...unchanged } = sinceLastDecision ?? {};
    assert.deepEqual(unchanged, { fields: [], isUnchanged: true });
    assert.deepEqual(
      [decision?.step, decision?.revision, decision?.code, decision?.message, decision?.note],
      ['reject', 1, 'incomplete', 'Describe it.', 'Second time.'],
    );
    await fixture.review(id, 'withdraw');
    await update(id, { listingInfo: { shortDescription: 'Short.' } });
    await fixture.review(id, 'submit');
    const changed = (await itemOf(id)).sinceLastDecision;
    assert.deepEqual([changed?.fields, changed?.isUnchanged], [['listingInfo.shortDescription'], false]);
    await fixture.review(id, 'withdraw');
  });

  test('the note of a decision is left out for a caller that may not read it', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const details = { message: 'No.', note: 'Only for us.' };
    await reviewApp(fixture.registry, commandLine, { appId: id, step: 'reject', details });
    await fixture.review(id, 'submit');
    const shown = await listReviewQueue(fixture.registry, { query: { view: 'full' }, showsNotes: false });
    const item = shown.items.find(({ app }) => app.id === id) as QueueItem | undefined;
    assert.equal(item?.sinceLastDecision?.decision.message, 'No.');
    assert.ok(!JSON.stringify(shown).includes('Only for us.'));
    await fixture.review(id, 'withdraw');
  });

  test('a page takes few queries, however many apps it has', async () => {
    const ids: string[] = [];
    const queriesFor = async (query: { limit: number; view: string }) => {
      let queries = 0;
      const { reader } = fixture.registry.storage;
      const rows: typeof reader.rows = (statement) => {
        queries += 1;
        return reader.rows(statement);
      };
      const counting = { ...reader, builder: reader.builder, rows };
      const stored = fixture.registry.storage;
      const write = stored.write.bind(stored);
      const storage = Object.create(stored, { reader: { value: counting }, write: { value: write } });
      const { items } = await listReviewQueue({ ...fixture.registry, storage }, { query, showsNotes: true });
      assert.equal(items.length, query.limit);
      return queries;
    };
    for (let count = 0; count < 20; count += 1) {
      const { id: developerId } = await createDeveloper(fixture.registry, commandLine, {
        email: `${count}@example.com`,
      });
      const { id } = await fixture.newApp({ status: 'REJECTED', developerId });
      await fixture.review(id, 'submit');
      await claimApp(fixture.registry, { ...commandLine, actor: `oidc:reviewer-${count}` }, { appId: id, claim: {} });
      ids.push(id);
    }
    for (const [view, queriesMax] of [
      ['summary', 9],
      ['full', 11],
    ] as const) {
      const [one, many] = [await queriesFor({ view, limit: 1 }), await queriesFor({ view, limit: 20 })];
      assert.ok(one <= queriesMax && many <= queriesMax, `${view}: ${one} and ${many} queries`);
    }
    for (const id of ids) await fixture.review(id, 'withdraw');
  });

  test('an item shows the developer, and in full what became of their apps', async () => {
    const { id: developerId } = await createDeveloper(fixture.registry, commandLine, { email: 'new@example.com' });
    await fixture.newApp({ status: 'APPROVED', developerId });
    const { id } = await fixture.newApp({ status: 'REJECTED', developerId });
    await fixture.review(id, 'submit');
    const developer = await getDeveloper(fixture.registry, developerId);
    const item = await itemOf(id);
    assert.deepEqual(item.developer, developer);
    const { apps, decisions } = await getDeveloperRecord(fixture.registry, developerId);
    assert.deepEqual(item.developerCounts, { apps, decisions });
    assert.deepEqual([apps.approved, decisions.approved, decisions.rejected], [1, 1, 1]);
    const summary = (await list({ developerId })).items.find(({ app }) => app.id === id);
    assert.deepEqual(summary?.developer, developer);
    assert.equal(summary && 'developerCounts' in summary, false);
    await fixture.review(id, 'withdraw');
  });

  test('the last decision names who decided', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const reviewer = { ...commandLine, actor: 'command-line:grace' };
    await reviewApp(fixture.registry, reviewer, { appId: id, step: 'reject', details: { message: 'No.' } });
    await fixture.review(id, 'submit');
    const decision = (await itemOf(id)).sinceLastDecision?.decision;
    assert.deepEqual([decision?.actor, decision?.actorName], ['command-line:grace', 'grace']);
    await fixture.review(id, 'withdraw');
  });

  /** An app as the queue shows it: its warnings are beside it. */
  async function appView(id: string): Promise<OperatorApp> {
    const { warnings, reviewSteps, ...app } = await getAppAsOperator(fixture.registry, id);
    return app;
  }

  async function itemOf(id: string): Promise<QueueItem> {
    const item = (await list({ view: 'full', limit: 100 })).items.find(({ app }) => app.id === id);
    assert.ok(item);
    return item as QueueItem;
  }

  const update = (appId: string, change: object) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: change });
});
