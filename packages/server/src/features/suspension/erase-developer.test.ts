import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { check } from '../../kernel/check.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { authenticate } from '../access/access-token.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import { Developer } from '../developers/developer.ts';

/** With a name of its own: another test in this process may have compiled a schema that contains `Developer`. */
const erasedDeveloper = { ...Developer, $id: 'ErasedDeveloper' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const newDeveloper = () =>
    createDeveloper(fixture.registry, commandLine, {
      email: 'marie@example.com',
      firstName: 'Marie',
      lastName: 'Curie',
    });
  const erase = (userId: string) => eraseDeveloper(fixture.registry, commandLine, userId);

  test('the database no longer names the person, but the developer remains', async () => {
    const { userId } = await newDeveloper();
    await updateDeveloper(fixture.registry, commandLine, { userId, update: { email: 'sklodowska@example.com' } });
    const { tokensRevoked, ...developer } = await erase(userId);
    assert.deepEqual(developer, { userId, email: 'erased@developer.invalid' });
    assert.equal(tokensRevoked, 0);
    assert.equal(check(erasedDeveloper, developer), null);
    const stored = JSON.stringify(await everything(fixture.registry.storage));
    for (const trace of ['marie@', 'sklodowska', 'Marie', 'Curie']) assert.ok(!stored.includes(trace), trace);
  });

  test('the apps and their history remain, and show no person from then on', async () => {
    const { userId } = await newDeveloper();
    const app = await fixture.newApp({ developerId: userId, status: 'APPROVED' });
    const [events, revision] = [await fixture.eventsOf(app.id), await readAppRevision(fixture.registry, app.id)];
    await erase(userId);
    const read = await getApp(fixture.registry, app.id);
    assert.deepEqual(read.app.developer, { userId, email: 'erased@developer.invalid' });
    assert.notEqual(read.revision, revision);
    assert.equal(await readAppRevision(fixture.registry, app.id), read.revision);
    assert.deepEqual(await fixture.eventsOf(app.id), events);
  });

  test('the tokens of the developer are revoked, and those of others stay valid', async () => {
    const { userId } = await newDeveloper();
    const mine = [
      await fixture.newToken('developer', { developerId: userId }),
      await fixture.newToken('developer', { developerId: userId }),
    ];
    const other = await fixture.newToken('developer');
    assert.equal((await erase(userId)).tokensRevoked, 2);
    for (const { token } of mine) assert.equal(await authenticate(fixture.registry, token), null);
    assert.ok(await authenticate(fixture.registry, other.token));
  });

  test('events record the revoked tokens and the erasure', async () => {
    const { userId } = await newDeveloper();
    const { id } = await fixture.newToken('developer', { developerId: userId });
    const events = await eventsDuring(fixture.registry, () => erase(userId));
    assert.deepEqual(
      events.map((event) => [event.type, event.subject_id]),
      [
        ['token.revoked', id],
        ['developer.erased', userId],
      ],
    );
  });

  test('repeating an erasure changes nothing', async () => {
    const { userId } = await newDeveloper();
    const first = await erase(userId);
    const stored = await everything(fixture.registry.storage);
    assert.deepEqual(await erase(userId), first);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('an unknown developer or an invalid id is refused', async () => {
    for (const id of [newId('user'), 'person', '', newId('app'), 'no\u0000id']) {
      await assertRefused(fixture.registry, () => erase(id), 'developer_not_found');
    }
  });

  test("a concurrent erasure and update leave all of the person's data or none", async () => {
    const { userId } = await newDeveloper();
    await Promise.all([
      erase(userId),
      updateDeveloper(fixture.registry, commandLine, {
        userId,
        update: { email: 'pierre@example.com', lastName: 'P' },
      }),
    ]);
    const { email, firstName, lastName } = await updateDeveloper(fixture.registry, commandLine, { userId, update: {} });
    assert.equal(firstName, undefined);
    assert.equal(email === 'erased@developer.invalid', lastName === undefined);
  });
});
