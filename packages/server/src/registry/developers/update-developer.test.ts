import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { assertRefused, eventsDuring, everything, validationErrorsOf } from 'app-registry-testkit/registry/recorded';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import type { Developer } from '../../contract/developer.ts';
import { getApp, getAppRevision } from '../apps/get-app.ts';
import { commandLine } from '../registry.ts';
import { newId } from '../type-id.ts';
import { createDeveloper } from './create-developer.ts';
import { updateDeveloper } from './update-developer.ts';

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
  const update = ({ userId }: Developer, change: unknown) =>
    updateDeveloper(fixture.registry, commandLine, { userId, update: change });

  test('only the given fields change, and null removes a name', async () => {
    const developer = await newDeveloper();
    assert.deepEqual(await update(developer, { email: 'a@example.org' }), { ...developer, email: 'a@example.org' });
    const { firstName, ...unnamed } = developer;
    assert.equal(firstName, 'Ada');
    const expected = { ...unnamed, email: 'a@example.org', lastName: 'King' };
    assert.deepEqual(await update(developer, { firstName: null, lastName: 'King' }), expected);
  });

  test("the platform view of each of the developer's apps shows the change at once, under a new revision", async () => {
    const developer = await newDeveloper();
    const mine = [
      await fixture.newApp({ developerId: developer.userId }),
      await fixture.newApp({ developerId: developer.userId }),
    ];
    const other = await fixture.newApp();
    const revisions = () =>
      Promise.all(
        [...mine, other].map(async ({ id }) => Number.parseInt(await getAppRevision(fixture.registry, id), 10)),
      );
    const [one, two, three] = (await revisions()) as [number, number, number];
    const updated = await update(developer, { email: 'new@example.com' });
    assert.deepEqual(await revisions(), [one + 1, two + 1, three]);
    for (const { id } of mine) assert.deepEqual((await getApp(fixture.registry, id)).app.developer, updated);
  });

  test('the event names the changed fields without their values', async () => {
    const developer = await newDeveloper();
    const change = { email: 'new@example.com', firstName: null, lastName: 'Lovelace' };
    const [event, ...others] = await eventsDuring(fixture.registry, () => update(developer, change));
    assert.deepEqual(others, []);
    assert.deepEqual([event?.type, event?.subject_id], ['developer.updated', developer.userId]);
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
      '/userId unknown_member',
    ]);
    const unknown = { ...developer, userId: newId('user') };
    await assertRefused(fixture.registry, () => update(unknown, { firstName: 'Joan' }), 'developer_not_found');
    for (const userId of ['ada', '', newId('app'), 'no\u0000id']) {
      await assertRefused(fixture.registry, () => update({ ...developer, userId }, {}), 'developer_not_found');
    }
    const noId = await assertRefused(
      fixture.registry,
      () => update({ ...developer, userId: 'ada' }, { email: 'ada' }),
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
    const expected = { ...developer, email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
    assert.deepEqual(await update(developer, {}), expected);
  });
});
