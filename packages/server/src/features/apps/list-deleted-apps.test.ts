import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator, listApps, listDeletedApps, restoreApp } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from './app-schemas.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let deleted: OperatorApp[];
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    const { id: userId } = fixture.otherDeveloper;
    const apps = [
      await fixture.newApp({ status: 'APPROVED', listingInfo: { shortDescription: 'Short.' } }),
      await fixture.newApp({ developerId: userId }),
      await fixture.newApp(),
      await fixture.newApp({ developerId: userId }),
    ];
    await fixture.newApp();
    deleted = [];
    // Not in the order of their ids.
    for (const app of apps.toReversed()) {
      deleted.unshift(await deleteApp(fixture.registry, commandLine, { appId: app.id }));
      now += dayMs;
    }
  });
  after(() => fixture.close());

  const list = (input: object = {}) => listDeletedApps(fixture.registry, { view: 'full', ...input });

  test('deleted apps are listed as their deletion returned them, ordered by id', async () => {
    assert.deepEqual(await list(), { items: deleted });
    assert.equal(deleted[3]?.deletedAt, '2026-03-01T09:30:00.000Z');
    assert.equal(deleted[3]?.restorableUntil, '2026-03-31T09:30:00.000Z');
    assert.equal((await listApps(fixture.registry, {})).items.length, 1);
  });

  test('a developer filter lists only their deleted apps', async () => {
    const [first, second, third, fourth] = deleted;
    assert.deepEqual(await list({ developerId: fixture.otherDeveloper.id }), { items: [second, fourth] });
    assert.deepEqual(await list({ developerId: fixture.developer.id }), { items: [first, third] });
  });

  test('the list is paged in both directions', async () => {
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor });
    assert.deepEqual([...first.items, ...second.items], deleted);
    assert.equal(second.nextCursor, undefined);
    assert.deepEqual(await list({ limit: 3, cursor: second.prevCursor }), first);
  });

  test('the filters of the list of apps are refused', async () => {
    const question = { status: ['DRAFT'], developerId: 'ada', limit: 101 };
    const failure = await assertRefused(fixture.registry, () => list(question), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure).toSorted(), ['limit not_allowed']);
    const filtered = () => list({ status: ['DRAFT'], name: 'a', sort: 'name' });
    const refusal = await assertRefused(fixture.registry, filtered, 'invalid_content');
    assert.deepEqual(validationErrorsOf(refusal), ['status not_allowed', 'name not_allowed', 'sort not_allowed']);
    const refused = () => list({ developerId: 'ada' });
    const other = await assertRefused(fixture.registry, refused, 'invalid_content');
    assert.deepEqual(validationErrorsOf(other), ['developerId invalid_format']);
  });

  test('an app that is restored, or no longer restorable, is not listed, and the latter is not found', async () => {
    const late = deleted[3]?.id ?? '';
    await restoreApp(fixture.registry, commandLine, deleted[1]?.id ?? '');
    now = Date.parse('2026-03-31T09:29:59.999Z');
    assert.deepEqual((await list()).items, [deleted[0], deleted[2], deleted[3]]);
    assert.equal((await getAppAsOperator(fixture.registry, late)).deletedAt, deleted[3]?.deletedAt);
    now += 1;
    assert.deepEqual((await list()).items, [deleted[0], deleted[2]]);
    await assertRefused(fixture.registry, () => getAppAsOperator(fixture.registry, late), 'app_not_found');
  });
});
