import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  everything,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import type { OperatorDeveloper } from './developer.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const newDeveloper = () =>
    createDeveloper(fixture.registry, commandLine, {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
  const update = ({ id: userId }: OperatorDeveloper, change: unknown) =>
    updateDeveloper(fixture.registry, commandLine, { userId, update: change });
  const updated = async (developer: OperatorDeveloper, change: unknown) => contentOf(await update(developer, change));

  test('only the given fields change, and null removes a name', async () => {
    const developer = await newDeveloper();
    const before = contentOf(developer);
    assert.deepEqual(await updated(developer, { email: 'a@example.org' }), { ...before, email: 'a@example.org' });
    const { firstName, ...unnamed } = before;
    assert.equal(firstName, 'Ada');
    const expected = { ...unnamed, email: 'a@example.org', lastName: 'King' };
    assert.deepEqual(await updated(developer, { firstName: null, lastName: 'King' }), expected);
  });

  test("the platform view of each of the developer's apps shows the change at once, under a new revision", async () => {
    const developer = await newDeveloper();
    const mine = [
      await fixture.newApp({ developerId: developer.id }),
      await fixture.newApp({ developerId: developer.id }),
    ];
    const other = await fixture.newApp();
    const revisions = () => Promise.all([...mine, other].map(({ id }) => readAppRevision(fixture.registry, id)));
    const before = await revisions();
    const { id: userId, email, firstName, lastName } = await update(developer, { email: 'new@example.com' });
    const after = await revisions();
    assert.deepEqual(
      after.map((revision, at) => revision === before[at]),
      [false, false, true],
    );
    const read = await Promise.all(mine.map(({ id }) => getApp(fixture.registry, id)));
    assert.deepEqual(
      read.map(({ app, revision }) => [app.developer, revision]),
      after.slice(0, 2).map((revision) => [{ userId, email, firstName, lastName }, revision]),
    );
  });

  test('a change writes the developer and its event, however many apps they have', async () => {
    const developer = await newDeveloper();
    for (let app = 0; app < 30; app += 1) await fixture.newApp({ developerId: developer.id });
    const change = () => update(developer, { email: `${Math.random()}@example.com` });
    assert.deepEqual(await rowsChangedBy(change), { developers: 1, events: 1, pending_projections: 1 });
  });

  /** How many rows of each table are other than before, or new. */
  async function rowsChangedBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const { storage } = fixture.registry;
    const before = await everything(storage);
    await work();
    const counts = Object.entries(await everything(storage)).map(([table, rows]) => {
      const known = new Set(before[table]?.map((row) => JSON.stringify(row)));
      return [table, rows.filter((row) => !known.has(JSON.stringify(row))).length] as const;
    });
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  test('the event names the changed fields without their values', async () => {
    const developer = await newDeveloper();
    const change = { email: 'new@example.com', firstName: null, lastName: 'Lovelace' };
    const [event, ...others] = await eventsDuring(fixture.registry, () => update(developer, change));
    assert.deepEqual(others, []);
    assert.deepEqual([event?.type, event?.subject_id], ['developer.updated', developer.id]);
    assert.deepEqual([event?.before, event?.after], [null, null]);
    assert.deepEqual(event?.details, { changed: ['email', 'firstName'] });
  });

  test('an update without a change changes nothing at all', async () => {
    const developer = await newDeveloper();
    const stored = await everything(fixture.registry.storage);
    assert.deepEqual(await update(developer, { firstName: 'Ada' }), developer);
    assert.deepEqual(await update(developer, {}), developer);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('all validation errors are reported together, and an unknown developer is refused', async () => {
    const developer = await newDeveloper();
    const invalid = { email: null, firstName: '', lastName: 5, userId: 'user_x' };
    const failure = await assertRefused(fixture.registry, () => update(developer, invalid), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure).toSorted(), [
      '/email null_not_allowed',
      '/firstName too_short',
      '/lastName wrong_type',
      '/userId unknown_field',
    ]);
    const unknown = { ...developer, id: newId('user') };
    await assertRefused(fixture.registry, () => update(unknown, { firstName: 'Joan' }), 'developer_not_found');
    for (const userId of ['ada', '', newId('app'), 'no\u0000id']) {
      await assertRefused(fixture.registry, () => update({ ...developer, id: userId }, {}), 'developer_not_found');
    }
    const noId = await assertRefused(
      fixture.registry,
      () => update({ ...developer, id: 'ada' }, { email: 'ada' }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(noId), ['/email invalid_format']);
  });

  test('concurrent updates of different fields all succeed', async () => {
    const developer = await newDeveloper();
    await Promise.all([
      update(developer, { email: 'joan@example.com' }),
      update(developer, { firstName: 'Joan' }),
      update(developer, { lastName: 'Clarke' }),
    ]);
    const expected = { ...contentOf(developer), email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
    assert.deepEqual(await updated(developer, {}), expected);
  });
});
