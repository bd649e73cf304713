import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createToken } from '@appregistrar/testkit/calls/access';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { createInstallation } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from './ids.ts';
import type { Caller } from './registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let appId: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    appId = (await fixture.newApp({ status: 'APPROVED' })).id;
  });
  after(() => fixture.close());

  /** Creates an object; two calls with the same number have the same content. */
  const creations: Record<string, (caller: Caller, number: number) => Promise<object>> = {
    developer: (caller, number) =>
      createDeveloper(fixture.registry, caller, { email: `${number}@example.com`, firstName: 'Ada' }),
    app: (caller, number) =>
      createApp(fixture.registry, caller, { developerId: fixture.developer.userId, name: `Once ${number}` }),
    installation: (caller, number) =>
      createInstallation(fixture.registry, caller, { appId, workspaceId: workspaces[number], userId }),
  };
  const workspaces = Array.from({ length: 4 }, () => newId('workspace'));
  const userId = newId('user');

  for (const [kind, create] of Object.entries(creations)) {
    describe(`creating a ${kind} under a key`, () => {
      const { caller, replays } = newCaller(kind);

      test('takes effect once: a retry gets the first response and changes nothing', async () => {
        const first = await create(caller, 1);
        assert.equal(replays.count, 0);
        const stored = await everything(fixture.registry.storage);
        assert.deepEqual(await create(caller, 1), first);
        assert.equal(replays.count, 1);
        assert.deepEqual(await everything(fixture.registry.storage), stored);
      });

      test('is refused with other content', async () => {
        await assertRefused(fixture.registry, () => create(caller, 2), 'idempotency_key_reused');
      });

      test('is independent of the same key of another caller', async () => {
        const other = newCaller(`other ${kind}`);
        await create(other.caller, 3);
        assert.equal(other.replays.count, 0);
      });
    });
  }

  test('a key cannot be used again for an object of another kind', async () => {
    const { caller } = newCaller('kinds');
    await createToken(fixture.registry, caller, { kind: 'platform' });
    await assertRefused(
      fixture.registry,
      () => createDeveloper(fixture.registry, caller, { email: 'kinds@example.com' }),
      'idempotency_key_reused',
    );
  });

  test('a refused creation stores no key, so a retry is validated again', async () => {
    const { caller, replays } = newCaller('refused');
    const developerId = newId('user');
    const create = () => createApp(fixture.registry, caller, { developerId, name: 'Late' });
    await assertRefused(fixture.registry, create, 'developer_not_found');
    await createDeveloper(
      fixture.registry,
      { ...caller, idempotency: undefined },
      { userId: developerId, email: 'l@e' },
    );
    assert.equal((await create()).name, 'Late');
    assert.equal(replays.count, 0);
  });

  test('no secret and no personal data is stored for a retry: one for a token returns its id, not its text', async () => {
    const { caller } = newCaller('issue');
    const input = { kind: 'operator', scopes: ['read'], name: 'Grace Hopper' };
    const { id, token } = await createToken(fixture.registry, caller, input);
    const failure = await assertRefused(
      fixture.registry,
      () => createToken(fixture.registry, caller, input),
      'token_created',
    );
    assert.match(failure.message, new RegExp(id));
    const stored = JSON.stringify(await rowsOf(fixture.registry.storage, 'idempotency_keys'));
    for (const secret of [token, input.name, '@example.com', '"Ada']) assert.ok(!stored.includes(secret), secret);
  });
});

/** A caller with a key, and how often it got the response of an earlier request. */
function newCaller(actor: string): { caller: Caller; replays: { count: number } } {
  const replays = { count: 0 };
  const onReplay = () => {
    replays.count += 1;
  };
  return { caller: { actor, requestId: null, idempotency: { key: 'one', onReplay } }, replays };
}
