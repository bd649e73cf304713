import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { deleteEvents } from '../../../server/src/features/events/event-queries.ts';
import { deleteInstallation } from '../../../server/src/features/installations/installation-queries.ts';
import { renewEpoch } from '../../../server/src/storage/kernel-queries.ts';
import { PathNotFoundError, UnauthorizedError } from '../client/errors.ts';
import type { OperatorClient } from '../operator/operator-client.ts';
import { fixRandom } from '../testing/fix-random.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { type RegistryCopy, sync } from './index.ts';
import { copied } from './read-again.ts';
import { assertSame, openCopy } from './testing/open-copy.ts';

let registry: ServedRegistry;
let operator: OperatorClient;
before(async () => {
  registry = await ServedRegistry.start();
  operator = await registry.operator();
});
after(() => registry.stop());

const newApp = () => registry.data.newApp({ status: 'APPROVED' });

test('a copy has all apps and installations, and finds them by app and workspace', async (t) => {
  const [app, other] = [await newApp(), await newApp()];
  const [installed, elsewhere] = [await registry.data.install(app), await registry.data.install(app)];
  await operator.installations.disable(elsewhere.id);
  const { copy } = await openCopy(t, operator);
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
  const { copy, reports, caughtUp } = await openCopy(t, operator);
  const held: unknown[] = [];
  reports.onChange = ({ type, id, after }) => {
    if (type === 'app') held.push(copy.app(id) === after);
    else held.push(copy.installations().find((one) => one.id === id) === after);
  };
  const workspaceId = newWorkspace();
  const installed = await operator.installations.create({ appId: app.id, workspaceId, userId: app.developerId });
  await caughtUp();
  const disabled = await operator.installations.disable(installed.id);
  await caughtUp();
  await operator.installations.delete(installed.id);
  await caughtUp();
  await operator.apps.delete(app.id);
  await caughtUp();
  assert.deepEqual(reports.about(installed.id, app.id), [
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
  const { copy, caughtUp } = await openCopy(t, operator);
  const line = { ...installationOf(app.id), enabled: false };
  await importText(registry.data.registry, JSON.stringify(line));
  await caughtUp();
  assert.deepEqual(copy.installation(app.id, line.workspaceId), await operator.installations.get(line.id));
  assert.equal(copy.installation(app.id, line.workspaceId)?.createdAt, '2025-01-01T00:00:00.000Z');
  await assertSame(copy, operator);
});

test('a suspension, which changes drafts without an event of their own, is copied for every app of the developer', async (t) => {
  const { id: userId } = await operator.developers.create({ email: 'suspended@example.com' });
  const draft = await registry.data.newApp({ developerId: userId });
  const { copy, caughtUp } = await openCopy(t, operator);
  await operator.developers.suspend(userId, { reason: 'Spam.' });
  await caughtUp();
  assert.deepEqual(copy.app(draft.id)?.suspendedStatus, (await operator.apps.get(draft.id)).suspendedStatus);
  await operator.developers.unsuspend(userId);
  await operator.developers.erase(userId);
  await caughtUp();
  await assertSame(copy, operator);
});

test('what changes while a copy is first read is in it, also if it is more than a page of the feed', async (t) => {
  const [app, deleted] = [await newApp(), await newApp()];
  const installed = await registry.data.install(app);
  const added = Array.from({ length: 101 }, () => installationOf(app.id));
  let isListed = false;
  const changing = await registry.operator({
    async fetch(url, init) {
      const response = await registry.fetch(url, init);
      if (isListed || !String(url).includes('/installations?')) return response;
      isListed = true;
      await operator.apps.update(app.id, { name: 'Changed after it was listed' });
      await operator.apps.delete(deleted.id);
      await operator.installations.delete(installed.id);
      await importText(registry.data.registry, added.map((line) => JSON.stringify(line)).join('\n'));
      return response;
    },
  });
  const { copy } = await openCopy(t, changing);
  assert.deepEqual(ids(copy.installations({ appId: app.id })), ids(added));
  assert.deepEqual([copy.app(app.id)?.name, copy.app(deleted.id)], ['Changed after it was listed', undefined]);
  await assertSame(copy, operator);
});

test('events that reach the feed after the copy has read what they changed undo and report nothing', async (t) => {
  const app = await newApp();
  const { nextCursor } = await operator.events.readFeed({ since: 'now' });
  for (const name of ['First', 'Second', 'Third']) await operator.apps.update(app.id, { name });
  let isHeldBack = true;
  const late = await registry.operator({
    async fetch(url, init) {
      if (!isHeldBack || !String(url).includes('/events/feed?')) return registry.fetch(url, init);
      return Response.json({ items: [], nextCursor });
    },
  });
  const { copy, reports, caughtUp } = await openCopy(t, late);
  isHeldBack = false;
  await caughtUp();
  assert.equal(copy.app(app.id)?.name, 'Third');
  assert.deepEqual(reports.about(app.id), []);
});

test('responses that are lost leave no gap', async (t) => {
  fixRandom(t, 0);
  const app = await newApp();
  const errors: unknown[] = [];
  let losing: string | undefined;
  const lossy = await registry.operator({
    maxRetries: 0,
    async fetch(url, init) {
      const response = await registry.fetch(url, init);
      if (losing === undefined || !String(url).includes(losing)) return response;
      losing = undefined;
      await response.body?.cancel();
      throw new TypeError('terminated');
    },
  });
  const { copy, caughtUp } = await openCopy(t, lossy, { onError: (error) => errors.push(error) });
  const lists = ['/events/feed?', `/apps/${app.id}`, '/installations?'];
  for (const list of lists) {
    losing = list;
    await operator.apps.update(app.id, { name: `Without ${list}` });
    await registry.data.install(app);
    await caughtUp(operator);
  }
  assert.equal(errors.length, lists.length);
  assert.deepEqual([copy.state, copy.error], ['following', undefined]);
  await assertSame(copy, operator);
});

test('after a restore the copy reads a new snapshot by itself, reports the differences, and continues', async (t) => {
  fixRandom(t, 0);
  const app = await newApp();
  const other = await registry.data.install(app);
  const errors: { code?: string }[] = [];
  const { copy, reports, caughtUp } = await openCopy(t, operator, { onError: (error) => errors.push(error as object) });
  const lost = await registry.data.install(app);
  await reports.until(() => copy.installation(app.id, lost.workspaceId) !== undefined);
  const seen: boolean[] = [];
  reports.onChange = () => seen.push(copy.installation(app.id, lost.workspaceId) === undefined);
  await registry.restart(() => loseInstallation(lost.id));
  await reports.until(() => copy.installation(app.id, lost.workspaceId) === undefined);
  assert.deepEqual(reports.about(lost.id).at(-1), {
    type: 'installation',
    id: lost.id,
    before: lost,
    after: undefined,
  });
  assert.ok(seen.every((isSwapped) => isSwapped));
  assert.deepEqual(reports.about(other.id), []);
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
  fixRandom(t, 0);
  const errors: unknown[] = [];
  const { copy, reports, caughtUp } = await openCopy(t, await registry.operator({ maxRetries: 0 }), {
    onError: (error) => errors.push(error),
  });
  await registry.restart(async () => {
    await reports.until(() => copy.state === 'retrying');
    assert.ok(copy.error !== undefined && errors.includes(copy.error));
  });
  await caughtUp(operator);
  assert.deepEqual([copy.state, copy.error], ['following', undefined]);
});

test('a refused token is reported, and the copy no longer changes', async (t) => {
  const app = await newApp();
  const { id, token } = await registry.data.newToken('operator', { scopes: ['read'] });
  const failed = Promise.withResolvers<unknown>();
  const { copy } = await openCopy(t, await registry.operator({ token }), { onError: failed.resolve });
  await operator.tokens.revoke(id);
  await newApp();
  assert.ok((await failed.promise) instanceof UnauthorizedError);
  assert.deepEqual([copy.state, copy.error], ['failed', await failed.promise]);
  assert.equal(copy.app(app.id)?.id, app.id);
  await copy.close();
  assert.equal(copy.state, 'failed');
});

test('a page of a proxy and a token function that throws are reported, and the copy continues', async (t) => {
  fixRandom(t, 0);
  const { token } = await registry.data.newToken('operator', { scopes: ['read'] });
  const failure = new Error('the store of secrets is away');
  let failing: 'proxy' | 'token' | undefined;
  const errors: unknown[] = [];
  const client = await registry.operator({
    maxRetries: 0,
    token() {
      if (failing === 'token') throw failure;
      return token;
    },
    async fetch(url, init) {
      if (failing === 'proxy') return new Response('<h1>404</h1>', { status: 404 });
      return registry.fetch(url, init);
    },
  });
  const { copy, reports, caughtUp } = await openCopy(t, client, { onError: (error) => errors.push(error) });
  const { id } = await newApp();
  for (const part of ['proxy', 'token'] as const) {
    failing = part;
    // Ends the wait for events.
    await operator.apps.update(id, { name: `With a failing ${part}` });
    await reports.until(() => copy.state === 'retrying');
    failing = undefined;
    await caughtUp(operator);
    assert.deepEqual([copy.state, copy.error], ['following', undefined]);
  }
  assert.ok(errors[0] instanceof PathNotFoundError);
  assert.equal(errors.at(-1), failure);
});

test('an `onChange` that throws is reported, and the copy continues', async (t) => {
  const errors: unknown[] = [];
  const mistake = new Error('mistake');
  const { copy, reports, caughtUp } = await openCopy(t, operator, { onError: (error) => errors.push(error) });
  reports.onChange = () => {
    throw mistake;
  };
  const app = await operator.apps.create({ developerId: registry.data.developer.id, name: 'Thrown at' });
  await reports.until(() => copy.app(app.id) !== undefined);
  reports.onChange = undefined;
  await caughtUp();
  assert.ok(errors.length > 0 && errors.every((error) => error === mistake));
  await assertSame(copy, operator);
});

test('`behindMs` grows until a response has the rest of the feed, or none came in the whole wait', async (t) => {
  // Whole, so that sums are exact.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  const { nextCursor } = await operator.events.readFeed({ since: 'now' });
  let requested = Promise.withResolvers<(response: Response) => void>();
  const waiting = await registry.operator({
    async fetch(url, init) {
      if (!String(url).includes('wait=5')) return registry.fetch(url, init);
      return new Promise<Response>((resolve) => requested.resolve(resolve));
    },
  });
  const { copy } = await openCopy(t, waiting);
  assert.equal(copy.behindMs, 0);
  for (const [afterMs, events, behindMs] of [
    [4_000, 0, 4_000],
    [5_000, 0, 0],
    [1_000, 0, 1_000],
    [5_000, 100, 6_000],
  ] as const) {
    const respond = await requested.promise;
    requested = Promise.withResolvers();
    now += afterMs;
    respond(
      Response.json({ items: Array(events).fill({ type: 'settings.updated', subjectId: 'settings' }), nextCursor }),
    );
    await requested.promise;
    assert.equal(copy.behindMs, behindMs);
  }
});

test('a copy is closed by `close`, at the end of its scope and by a signal, without waiting for an event', async (t) => {
  const { copy } = await openCopy(t, operator);
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

const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id).toSorted();

const newWorkspace = () => installationOf('').workspaceId;
