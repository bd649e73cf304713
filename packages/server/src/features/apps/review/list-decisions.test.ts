import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { listAppDecisions, reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { observeClock } from '../../../kernel/time.ts';
import { purgeDeletedApps } from '../deleted-apps.ts';
import type { ReviewStep } from './review-status.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;

  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
    await fixture.registry.storage.write((transaction) =>
      execute(transaction, `update settings set changes_to_approved = 'hold'`),
    );
  });
  after(() => fixture.close());

  const decide = (appId: string, step: ReviewStep, details: object = {}) =>
    reviewApp(fixture.registry, commandLine, { appId, step, details });
  const decisions = (appId: string, query: object = {}, showsNotes = true) =>
    listAppDecisions(fixture.registry, { appId, query, showsNotes });
  const errorsOf = async (appId: string, step: ReviewStep, details: object) =>
    validationErrorsOf(await assertRefused(fixture.registry, () => decide(appId, step, details), 'invalid_content'));

  test('every decision is listed with its details and the content that it is about, newest first', async () => {
    const { id, name, etag } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const fields = [{ pointer: '/oauthInfo/callbackUrl', message: 'There is none.' }];
    await decide(id, 'reject', { code: 'incomplete', message: 'Not yet.', fields, note: 'Be kind.' });
    await fixture.review(id, 'submit');
    now += 1_000;
    await decide(id, 'approve', { message: 'Welcome.' });
    await updateAppAsOperator(fixture.registry, commandLine, { appId: id, update: { name: `${name} 2` } });
    await decide(id, 'reject-change', { code: 'own_code', message: 'Not this name.' });
    await decide(id, 'revoke', { message: 'Spam.', disableInstallations: true });
    const { items } = await decisions(id);
    const content = { listingInfo: { backgroundColor: '#ffffff' }, oauthInfo: {} };
    assert.deepEqual(
      items.map(({ id: _, etag: __, actor, actorName, decidedAt, ...decision }) => decision),
      [
        { step: 'revoke', revision: 2, message: 'Spam.', content: { ...content, name: `${name} 2` } },
        {
          step: 'reject-change',
          revision: 2,
          code: 'own_code',
          message: 'Not this name.',
          content: { ...content, name: `${name} 2` },
        },
        { step: 'approve', revision: 1, message: 'Welcome.', content: { ...content, name } },
        {
          step: 'reject',
          revision: 1,
          code: 'incomplete',
          message: 'Not yet.',
          fields,
          note: 'Be kind.',
          content: { ...content, name },
        },
      ],
    );
    const last = items.at(-1);
    assert.deepEqual(
      [last?.etag, last?.actor, last?.actorName, last?.decidedAt],
      [etag, 'command-line:demo', 'demo', new Date(start).toISOString()],
    );
    const events = await fixture.eventsOf(id);
    for (const decision of items) assert.ok(events.some((event) => event.id === decision.id));
  });

  test('pages lead forwards and backwards', async () => {
    const { id } = await fixture.newApp({ status: 'APPROVED' });
    const { id: other } = await fixture.newApp({ status: 'APPROVED' });
    for (const step of ['revoke', 'submit', 'reject'] as const) await fixture.review(id, step);
    const pages = [await decisions(id, { limit: 1 })];
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await decisions(id, { limit: 1, cursor }));
    }
    const steps = pages.flatMap(({ items }) => items.map(({ step }) => step));
    assert.deepEqual(steps, ['reject', 'revoke', 'approve']);
    const back = await decisions(id, { limit: 2, cursor: pages.at(-1)?.prevCursor });
    assert.deepEqual(
      back.items.map(({ step }) => step),
      ['reject', 'revoke'],
    );
    const cursor = pages[0]?.nextCursor;
    await assertRefused(fixture.registry, () => decisions(other, { limit: 1, cursor }), 'invalid_content');
  });

  test('a note is in no event, and not shown to a caller that may not read it', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const details = { code: 'spam', message: 'No.', note: 'Only for us.' };
    const events = await eventsDuring(fixture.registry, () => decide(id, 'reject', details));
    assert.deepEqual(events[0]?.after, {
      reviewStatus: 'REJECTED',
      revision: 1,
      code: 'spam',
      message: 'No.',
    });
    assert.ok(!JSON.stringify(events).includes('Only for us.'));
    const { items } = await decisions(id, {}, false);
    assert.deepEqual([items[0]?.message, items[0]?.note], ['No.', undefined]);
  });

  test('all errors of the details are reported at once', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const fields = [{ pointer: '/logoUrl', message: '' }, { message: 'Which?' }];
    assert.deepEqual(await errorsOf(id, 'reject', { code: 'Not so', fields, note: '', other: 1 }), [
      '/message required',
      '/other unknown_field',
      '/code invalid_format',
      '/fields/0/pointer not_allowed',
      '/fields/0/message too_short',
      '/fields/1/pointer required',
      '/note too_short',
    ]);
    assert.deepEqual(await errorsOf(id, 'reject', { message: 'No.', reason: 'No.' }), ['/reason unknown_field']);
    assert.deepEqual(await errorsOf(id, 'approve', { reason: 'Good.', fields: [] }), [
      '/reason unknown_field',
      '/fields too_short',
    ]);
  });

  test('a deleted app has its decisions again when it is restored, and loses them when it is purged', async () => {
    const { id } = await fixture.newApp({ status: 'APPROVED' });
    const stored = async () =>
      (await rowsOf(fixture.registry.storage, 'decisions')).filter(({ app_id }) => app_id === id);
    await deleteApp(fixture.registry, commandLine, { appId: id });
    await assertRefused(fixture.registry, () => decisions(id), 'app_not_found');
    await restoreApp(fixture.registry, commandLine, id);
    assert.equal((await decisions(id)).items.length, 1);
    await deleteApp(fixture.registry, commandLine, { appId: id });
    now += 31 * dayMs;
    await purgeDeletedApps(fixture.registry);
    assert.deepEqual(await stored(), []);
  });

  test('an unknown app is not found', async () => {
    for (const id of [newId('app'), 'app', '\ud800']) {
      await assertRefused(fixture.registry, () => decisions(id), 'app_not_found');
    }
  });
});
