import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { forEachEngine, postgres, testOn } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { appOf, developerOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { renewEpoch } from '../../../server/src/storage/queries/epoch.ts';
import { deleteEvents } from '../../../server/src/storage/queries/events.ts';
import { deleteInstallation } from '../../../server/src/storage/queries/installations.ts';
import { NotFoundError, UnauthorizedError } from '../client/errors.ts';
import { OperatorClient } from '../operator/operator-client.ts';
import { LossyProxy } from '../testing/lossy-proxy.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { type Change, type RegistryCopy, type SyncOptions, sync } from './index.ts';
import { copied } from './read-again.ts';
import { changeAtRandom, type Playground } from './testing/random-changes.ts';

forEachEngine((engine) => {
  let registry: ServedRegistry;
  let operator: OperatorClient;
  before(async () => {
    registry = await ServedRegistry.start({}, engine);
    operator = await registry.operator();
  });
  after(() => registry.stop());

  const newApp = () => registry.data.newApp({ status: 'APPROVED' });

  test('a copy has all apps and installations, and finds them by app and workspace', async (t) => {
    const [app, other] = [await newApp(), await newApp()];
    const [installed, elsewhere] = [await registry.data.install(app), await registry.data.install(app)];
    await operator.installations.disable(elsewhere.id);
    const { copy } = await open(t, operator);
    const { installationCount: _, warnings: __, reviewSteps: ___, ...expected } = await operator.apps.get(app.id);
    assert.deepEqual(copy.app(app.id), expected);
    assert.equal(copy.installation(app.id, installed.workspaceId)?.enabled, true);
    assert.equal(copy.installation(app.id, elsewhere.workspaceId)?.enabled, false);
    assert.equal(copy.installation(other.id, installed.workspaceId), undefined);
    assert.deepEqual(ids(copy.installations({ appId: app.id })), ids([installed, elsewhere]));
    assert.deepEqual(copy.installations({ workspaceId: installed.workspaceId }), [installed]);
    assert.deepEqual(copy.installations({ appId: other.id, workspaceId: installed.workspaceId }), []);
    assert.deepEqual([copy.state, copy.error], ['following', undefined]);
    await assertSame(copy, operator);
  });

  test('each change is reported once the copy has it, with the previous state', async (t) => {
    const app = await newApp();
    const { copy, changes, caughtUp } = await open(t, operator);
    const held: unknown[] = [];
    changes.onChange = ({ type, id, after }) => {
      if (type === 'app') held.push(copy.app(id) === after);
      else held.push(copy.installations().find((one) => one.id === id) === after);
    };
    const workspaceId = newWorkspace();
    const installed = await operator.installations.create({ appId: app.id, workspaceId, userId: app.developerId });
    await caughtUp();
    await operator.installations.disable(installed.id);
    await caughtUp();
    await operator.installations.delete(installed.id);
    await caughtUp();
    await operator.apps.delete(app.id);
    await caughtUp();
    const disabled = { ...installed, enabled: false, disabledBy: ['workspace'] };
    assert.deepEqual(changes.about(installed.id, app.id), [
      { type: 'installation', id: installed.id, before: undefined, after: installed },
      { type: 'installation', id: installed.id, before: installed, after: disabled },
      { type: 'installation', id: installed.id, before: disabled, after: undefined },
      { type: 'app', id: app.id, before: copied(app), after: undefined },
    ]);
    assert.ok(held.length > 0 && held.every((isHeld) => isHeld));
    assert.equal(copy.app(app.id), undefined);
    assert.equal(copy.installation(app.id, workspaceId), undefined);
    assert.match(copy.lastEventAt ?? '', /^\d{4}-.*Z$/);
  });

  test('an import, whose events are incomplete, is copied as it is stored', async (t) => {
    const app = await newApp();
    const { copy, caughtUp } = await open(t, operator);
    const line = { ...installationOf(app.id), enabled: false };
    await importText(registry.data.registry, JSON.stringify(line));
    await caughtUp();
    assert.deepEqual(copy.installation(app.id, line.workspaceId), await operator.installations.get(line.id));
    assert.equal(copy.installation(app.id, line.workspaceId)?.createdAt, '2025-01-01T00:00:00.000Z');
    await assertSame(copy, operator);
  });

  test('a suspension, which changes drafts without an event of their own, is copied for every app of the developer', async (t) => {
    const { userId } = await operator.developers.create({ email: 'suspended@example.com' });
    const draft = await registry.data.newApp({ developerId: userId });
    const { copy, caughtUp } = await open(t, operator);
    await operator.developers.suspend(userId, { reason: 'Spam.' });
    await caughtUp();
    assert.deepEqual(copy.app(draft.id)?.suspendedStatus, (await operator.apps.get(draft.id)).suspendedStatus);
    await operator.developers.unsuspend(userId);
    await operator.developers.erase(userId);
    await caughtUp();
    await assertSame(copy, operator);
  });

  test('concurrent changes, during and after the first read, leave the copies equal to the registry', async (t) => {
    const playground = await fill(registry, operator);
    const copies: { copy: RegistryCopy; caughtUp: () => Promise<void> }[] = [];
    const copying = async () => {
      for (let made = 0; made < 3; made += 1) copies.push(await open(t, operator));
    };
    const writers = Array.from({ length: 6 }, () => changeAtRandom(operator, playground, 60));
    await Promise.all([copying(), ...writers]);
    for (const { copy, caughtUp } of copies) {
      await caughtUp();
      await assertSame(copy, operator);
    }
  });

  test('no change is undone: each app gets its names in the order in which they were set', async (t) => {
    const apps = await Promise.all(Array.from({ length: 4 }, newApp));
    let isDone = false;
    const writers = apps.map(async ({ id }) => {
      for (let number = 1; number <= 60 || !isDone; number += 1) {
        await operator.apps.update(id, { name: `${id} ${number}` });
      }
    });
    const copying = async () => {
      const { copy, changes, caughtUp } = await open(t, operator);
      const first = apps.map(({ id }) => copy.app(id));
      isDone = true;
      await Promise.all(writers);
      await caughtUp();
      for (const [at, { id }] of apps.entries()) {
        const names = [first[at], ...changes.about(id).map(({ after }) => after)];
        const numbers = names.map((shown) => Number((shown as { name: string }).name.split(' ').at(-1)));
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        );
      }
    };
    await Promise.all([copying(), ...writers]);
  });

  test('connections that are reset repeatedly leave no gap', async (t) => {
    const playground = await fill(registry, operator);
    const proxy = await LossyProxy.start(t, Number(new URL(registry.operatorUrl).port));
    const errors: unknown[] = [];
    const lossy = await registry.operator({
      fetch: (url, init) => fetch(String(url).replace('http://registry.example', proxy.baseUrl), init),
      maxRetries: 0,
    });
    const { copy, caughtUp } = await open(t, lossy, { onError: (error) => errors.push(error) });
    for (let round = 0; round < 5; round += 1) {
      proxy.loseResponses(2);
      await changeAtRandom(operator, playground, 20);
      await caughtUp(operator);
    }
    assert.ok(errors.length >= 5);
    assert.deepEqual([copy.state, copy.error], ['following', undefined]);
    await assertSame(copy, operator);
  });

  test('after a restore the copy reads a new snapshot by itself, reports the differences, and continues', async (t) => {
    const app = await newApp();
    const other = await registry.data.install(app);
    const errors: { code?: string }[] = [];
    const { copy, changes, caughtUp } = await open(t, operator, { onError: (error) => errors.push(error as object) });
    const lost = await registry.data.install(app);
    await caughtUp.until(() => copy.installation(app.id, lost.workspaceId) !== undefined);
    const seen: boolean[] = [];
    changes.onChange = () => seen.push(copy.installation(app.id, lost.workspaceId) === undefined);
    await registry.restart(() => loseInstallation(lost.id));
    await caughtUp.until(() => copy.installation(app.id, lost.workspaceId) === undefined);
    assert.deepEqual(changes.about(lost.id).at(-1), {
      type: 'installation',
      id: lost.id,
      before: lost,
      after: undefined,
    });
    assert.ok(seen.every((isSwapped) => isSwapped));
    assert.deepEqual(changes.about(other.id), []);
    assert.ok(errors.some(({ code }) => code === 'cursor_expired'));
    await registry.data.install(app);
    await caughtUp();
    assert.equal(copy.state, 'following');
    await assertSame(copy, operator);
  });

  /** Leaves the database as the restore of a backup from before the installation does. */
  async function loseInstallation(id: string): Promise<void> {
    const events = await eventsAbout(id);
    await registry.data.registry.storage.write(async (transaction) => {
      await deleteInstallation(transaction, { id });
      await deleteEvents(transaction, events);
      await renewEpoch(transaction, { epoch: randomUUID() });
    });
  }

  async function eventsAbout(subjectId: string): Promise<string[]> {
    const { reader } = registry.data.registry.storage;
    const query = reader.builder.selectFrom('events').select('id').where('subject_id', '=', subjectId);
    return (await reader.rows(query.compile())).map(({ id }) => id);
  }

  test('an unreachable registry is reported, and the copy reconnects', async (t) => {
    const errors: unknown[] = [];
    const { copy, caughtUp } = await open(t, await registry.operator({ maxRetries: 0 }), {
      onError: (error) => errors.push(error),
    });
    await registry.restart(async () => {
      await caughtUp.until(() => copy.state === 'retrying');
      assert.ok(copy.error !== undefined && errors.includes(copy.error));
    });
    await caughtUp(operator);
    assert.deepEqual([copy.state, copy.error], ['following', undefined]);
  });

  test('a refused token is reported, and the copy no longer changes', async (t) => {
    const app = await newApp();
    const { id, token } = await registry.data.newToken('operator', { scopes: ['read'] });
    const failed = Promise.withResolvers<unknown>();
    const { copy } = await open(t, await registry.operator({ token }), { onError: failed.resolve });
    await operator.tokens.revoke(id);
    await newApp();
    assert.ok((await failed.promise) instanceof UnauthorizedError);
    assert.deepEqual([copy.state, copy.error], ['failed', await failed.promise]);
    assert.equal(copy.app(app.id)?.id, app.id);
    await copy.close();
    assert.equal(copy.state, 'failed');
  });

  test('a page of a proxy and a token function that throws are reported, and the copy continues', async (t) => {
    const { token } = await registry.data.newToken('operator', { scopes: ['read'] });
    const failure = new Error('the store of secrets is away');
    let failing: 'proxy' | 'token' | undefined;
    const errors: unknown[] = [];
    const client = new OperatorClient({
      baseUrl: 'http://registry.example',
      maxRetries: 0,
      token() {
        if (failing === 'token') throw failure;
        return token;
      },
      async fetch(url, init) {
        if (failing === 'proxy') return new Response('<h1>404</h1>', { status: 404 });
        return fetch(String(url).replace('http://registry.example/operator/v1', registry.operatorUrl), init);
      },
    });
    const { copy, caughtUp } = await open(t, client, { onError: (error) => errors.push(error) });
    for (const part of ['proxy', 'token'] as const) {
      failing = part;
      await caughtUp.until(() => copy.state === 'retrying');
      failing = undefined;
      await caughtUp(operator);
      assert.deepEqual([copy.state, copy.error], ['following', undefined]);
    }
    assert.ok(errors[0] instanceof NotFoundError);
    assert.equal(errors.at(-1), failure);
  });

  test('an `onChange` that throws is reported, and the copy continues', async (t) => {
    const errors: unknown[] = [];
    const mistake = new Error('mistake');
    const { copy, changes, caughtUp } = await open(t, operator, { onError: (error) => errors.push(error) });
    changes.onChange = () => {
      throw mistake;
    };
    const app = await newApp();
    await caughtUp.until(() => copy.app(app.id) !== undefined);
    changes.onChange = undefined;
    await caughtUp();
    assert.ok(errors.length > 0 && errors.every((error) => error === mistake));
    await assertSame(copy, operator);
  });

  test('a copy is closed by `close`, at the end of its scope and by a signal, without waiting for an event', async (t) => {
    const { copy } = await open(t, operator);
    await copy.close();
    assert.equal(copy.state, 'closed');
    let scoped: RegistryCopy;
    {
      await using copy = await sync(operator);
      scoped = copy;
    }
    assert.equal(scoped.state, 'closed');
    const leaving = new AbortController();
    const left = await sync(operator, { signal: leaving.signal });
    leaving.abort();
    await left.close();
    assert.equal(left.state, 'closed');
    await assert.rejects(sync(operator, { signal: AbortSignal.abort(new Error('too late')) }), /too late/);
  });
});

testOn([postgres], 'what the feed holds back does not undo what the snapshot has', async (t) => {
  const registry = await ServedRegistry.start({}, postgres);
  t.after(() => registry.stop());
  const operator = await registry.operator();
  const app = await registry.data.newApp();
  const slow = await registry.data.newApp();
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { storage } = registry.data.registry;
  const unfinished = storage.write(async (transaction) => {
    await transaction.run(
      transaction.builder.updateTable('apps').set({ updated_at: 0 }).where('id', '=', slow.id).compile(),
    );
    begun.resolve();
    await goOn.promise;
  });
  await begun.promise;
  // More than a page of the feed.
  for (let number = 1; number <= 130; number += 1) await operator.apps.update(app.id, { name: `Name ${number}` });
  const { copy, changes, caughtUp } = await open(t, operator);
  assert.equal(copy.app(app.id)?.name, 'Name 130');
  goOn.resolve();
  await unfinished;
  await caughtUp();
  assert.equal(copy.app(app.id)?.name, 'Name 130');
  assert.deepEqual(changes.about(app.id), []);
  // Before the registry: the first that was opened ends first.
  await copy.close();
});

/** A copy that is closed with the test, with what it reports. */
async function open(t: TestContext, operator: OperatorClient, options: SyncOptions = {}) {
  const changes = new Changes();
  const copy = await sync(operator, {
    onError: (error) => assert.fail(error as Error),
    ...options,
    onChange: changes.add,
  });
  t.after(() => copy.close());
  /** Waits until the copy has all changes made so far. */
  const caughtUp = async (by = operator) => {
    const marker = await by.developers.create({ email: 'marker@example.com' });
    const app = await by.apps.create({ developerId: marker.userId, name: `Marker ${randomUUID()}` });
    await changes.until(() => copy.app(app.id) !== undefined);
  };
  return { copy, changes, caughtUp: Object.assign(caughtUp, { until: changes.until }) };
}

/** What a copy has reported. */
class Changes {
  readonly all: Change[] = [];
  onChange: ((change: Change) => void) | undefined;

  readonly add = (change: Change): void => {
    this.all.push(change);
    this.onChange?.(change);
  };

  about(...ids: string[]): Change[] {
    return this.all.filter(({ id }) => ids.includes(id));
  }

  readonly until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
}

async function assertSame(copy: RegistryCopy, operator: OperatorClient): Promise<void> {
  const apps = (await all(operator.apps.list({ limit: 100 }))).map(copied);
  const installations = await all(operator.installations.list({ limit: 100 }));
  assert.deepEqual(sorted(copy.apps()), apps);
  assert.deepEqual(sorted(copy.installations()), installations);
  for (const installation of installations) {
    const { appId, workspaceId } = installation;
    assert.deepEqual(copy.installation(appId, workspaceId), installation);
    assert.ok(copy.installations({ appId, workspaceId }).length === 1);
  }
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function sorted<Item extends { id: string }>(items: Item[]): Item[] {
  return items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id).toSorted();

const newWorkspace = () => installationOf('').workspaceId;

/** Several pages of each list, of which few items change. */
async function fill({ data }: ServedRegistry, operator: OperatorClient): Promise<Playground> {
  const developers = [developerOf(), developerOf(), developerOf()];
  const apps = Array.from({ length: 250 }, (_, at) =>
    appOf(developers[at % developers.length]?.userId ?? '', `App ${randomUUID()}`),
  );
  const workspaceIds = Array.from({ length: 5 }, newWorkspace);
  const installations = apps.flatMap(({ id }) =>
    workspaceIds.slice(0, 2).map((workspaceId) => ({ ...installationOf(id), workspaceId })),
  );
  const lines = [...developers, ...apps, ...installations];
  await importText(data.registry, lines.map((line) => JSON.stringify(line)).join('\n'));
  const appIds = apps.filter((_, at) => at % 25 === 0).map(({ id }) => id);
  for (const id of appIds) await operator.apps.submit(id).then(operator.apps.approve.bind(operator.apps));
  return { appIds, developerIds: developers.map(({ userId }) => userId), workspaceIds };
}
