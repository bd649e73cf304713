import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createToken, listTokenChanges, revokeToken } from '@appregistrar/testkit/calls/access';
import { deleteApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { ChangedObject, TokenChanges } from './list-token-changes.ts';

const minuteMs = 60_000;

/** How many changes a page of 100 objects summarises. */
const changesMax = 1_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now: number;
  before(async () => {
    now = Date.parse('2026-03-01T09:30:00.000Z');
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const changesOf = async (id: string, query: object = {}) =>
    byType(await listTokenChanges(fixture.registry, id, query));
  const newCaller = async () => {
    const { id } = await fixture.newToken('operator');
    return { actor: id, requestId: null };
  };
  const rename = (caller: { actor: string; requestId: null }, appId: string, name: string) =>
    updateAppAsOperator(fixture.registry, caller, { appId, update: { name } });

  test('apps are listed as they are now, with the number, types and times of their changes', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp({ name: 'Before' });
    const gone = await fixture.newApp();
    await fixture.install(app);
    await rename(caller, app.id, 'Stolen');
    now += minuteMs;
    await rename(caller, gone.id, 'Stolen too');
    now += minuteMs;
    await rename(caller, app.id, 'Stolen again');
    await deleteApp(fixture.registry, caller, { appId: gone.id });
    await rename({ ...commandLine, requestId: null }, app.id, 'After');
    const at = (minutes: number) => new Date(now - minutes * minuteMs).toISOString();
    const { searched, ...changes } = await changesOf(caller.actor);
    assert.deepEqual(changes, {
      apps: [
        {
          type: 'app',
          appId: app.id,
          name: 'After',
          developerId: app.developerId,
          installationCount: 1,
          changes: 2,
          types: [{ type: 'app.updated', changes: 2 }],
          firstAt: at(2),
          lastAt: at(0),
        },
        {
          type: 'app',
          appId: gone.id,
          installationCount: 0,
          changes: 2,
          types: [
            { type: 'app.updated', changes: 1 },
            { type: 'app.deleted', changes: 1 },
          ],
          firstAt: at(1),
          lastAt: at(0),
        },
      ],
      workspaces: [],
      others: [],
    });
    assert.deepEqual([searched.events, searched.until?.timestamp], [4, at(0)]);
  });

  test('workspaces are listed with the changes of their installations, including deleted ones', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp();
    const [untouched, disabled, deleted] = [
      await fixture.install(app),
      await fixture.install(app),
      await fixture.install(app),
    ];
    const created = await createInstallation(fixture.registry, caller, {
      appId: app.id,
      workspaceId: newId('workspace'),
      userId: app.developerId,
    });
    await setInstallationEnabled(fixture.registry, caller, { id: disabled.id, enabled: false });
    await setInstallationEnabled(fixture.registry, caller, { id: disabled.id, enabled: true });
    await deleteInstallation(fixture.registry, caller, deleted.id);
    const { apps, workspaces, others } = await changesOf(caller.actor);
    assert.deepEqual(
      workspaces.map(({ workspaceId, changes, types }) => [workspaceId, changes, types.map(({ type }) => type)]),
      [
        [created.workspaceId, 1, ['installation.created']],
        [disabled.workspaceId, 2, ['installation.disabled', 'installation.enabled']],
        [deleted.workspaceId, 1, ['installation.deleted']],
      ],
    );
    assert.ok(!workspaces.some(({ workspaceId }) => workspaceId === untouched.workspaceId));
    assert.deepEqual([apps.map(({ appId, changes }) => [appId, changes]), others], [[[app.id, 4]], []]);
  });

  test('an installation that was only disabled, and is deleted since, is listed without its workspace', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp();
    const { id } = await fixture.install(app);
    await setInstallationEnabled(fixture.registry, caller, { id, enabled: false });
    await deleteInstallation(fixture.registry, commandLine, id);
    const { workspaces, others } = await changesOf(caller.actor);
    assert.deepEqual(workspaces, []);
    assert.deepEqual(
      others.map(({ subjectId, appId, types }) => [subjectId, appId, types]),
      [[id, app.id, [{ type: 'installation.disabled', changes: 1 }]]],
    );
  });

  test('other objects are listed, such as tokens that it issued, also once it is revoked', async () => {
    const caller = await newCaller();
    const { id } = await createToken(fixture.registry, caller, { kind: 'platform' });
    await revokeToken(fixture.registry, commandLine, caller.actor);
    const { others } = await changesOf(caller.actor);
    assert.deepEqual(
      others.map(({ subjectId, types }) => [subjectId, types]),
      [[id, [{ type: 'token.created', changes: 1 }]]],
    );
  });

  test('changes since a time, or after an event, are summarised', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp();
    await rename(caller, app.id, 'Since first');
    const first = (await changesOf(caller.actor)).searched.until ?? assert.fail();
    now += minuteMs;
    await rename(caller, app.id, 'Since second');
    for (const since of [first.id, new Date(now).toISOString()]) {
      assert.deepEqual((await changesOf(caller.actor, { since })).apps[0]?.changes, 1);
    }
    assert.equal((await changesOf(caller.actor, { since: first.timestamp })).apps[0]?.changes, 2);
  });

  test('the times are the first and the last, also when a clock was wrong', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp();
    const right = now;
    for (const minutes of [0, 2, -1]) {
      now = right + minutes * minuteMs;
      await rename(caller, app.id, `After ${minutes} minutes`);
    }
    now = right;
    const [changed] = (await changesOf(caller.actor)).apps;
    const since = new Date(right).toISOString();
    assert.equal((await changesOf(caller.actor, { since })).apps[0]?.changes, 2);
    const times = [right - minuteMs, right + 2 * minuteMs].map((time) => new Date(time).toISOString());
    assert.deepEqual([changed?.firstAt, changed?.lastAt], times);
  });

  test('a person of an identity provider is found by the actor, and a token that changed nothing has no changes', async () => {
    const caller = { actor: 'oidc:auth0|ada', requestId: null };
    const app = await fixture.newApp();
    await rename(caller, app.id, 'By a person');
    assert.deepEqual(
      (await changesOf(caller.actor)).apps.map(({ appId }) => appId),
      [app.id],
    );
    const nothing = { apps: [], workspaces: [], others: [], searched: { events: 0 } };
    assert.deepEqual(await changesOf('oidc:unknown'), nothing);
    assert.deepEqual(await changesOf((await newCaller()).actor), nothing);
  });

  test('a page summarises a bounded number of changes, and its cursor goes on after them', async () => {
    const caller = await newCaller();
    const app = await fixture.newApp();
    const events = Array.from({ length: changesMax + 1 }, (_, at) => ({
      id: newId('event'),
      type: 'installation.created',
      occurred_at: now,
      app_id: app.id,
      subject_id: newId('installation'),
      actor: caller.actor,
      request_id: null,
      traceparent: null,
      before: null,
      after: JSON.stringify({ workspaceId: `workspace_${at % 10}` }),
      details: null,
      effective: null,
      reason: null,
    }));
    await fixture.registry.storage.write((transaction) => transaction.insertNew('events', events));
    const query = { limit: 100 };
    const first = await changesOf(caller.actor, query);
    const second = await changesOf(caller.actor, { ...query, cursor: first.nextCursor });
    const sum = ({ apps, workspaces, searched }: ReturnType<typeof byType>) => [
      apps[0]?.changes,
      workspaces.length,
      searched.events,
    ];
    assert.deepEqual(sum(first), [changesMax, 10, changesMax]);
    assert.deepEqual([sum(second), second.nextCursor], [[1, 1, 1], undefined]);
    const other = await newCaller();
    const refused = await assertRefused(
      fixture.registry,
      () => changesOf(other.actor, { ...query, cursor: first.nextCursor }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refused), ['cursor invalid_format']);
  });

  test('a page names a number of objects, from the first change or from the last', async () => {
    const caller = await newCaller();
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const { id } = await fixture.newApp();
      await rename(caller, id, `Paged ${name}`);
      ids.push(id);
    }
    for (const [sort, expected] of [
      ['firstAt', ids],
      ['-lastAt', ids.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { apps, nextCursor } = await changesOf(caller.actor, { sort, limit: 1, ...(cursor && { cursor }) });
        assert.equal(apps.length, 1);
        found.push(...apps.map(({ appId }) => appId));
        if (nextCursor === undefined) break;
        cursor = nextCursor;
      }
      assert.deepEqual(found, expected, sort);
    }
  });

  test('an unknown token is refused, and so is an invalid start', async () => {
    for (const id of [newId('token'), 'token', 'command-line', 'oidc:a\0']) {
      await assertRefused(fixture.registry, () => changesOf(id), 'token_not_found');
    }
    const { actor } = await newCaller();
    const refused = await assertRefused(fixture.registry, () => changesOf(actor, { since: 'soon' }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(refused), ['since invalid_format']);
  });
});

/** The objects by their types. */
function byType({ items, ...page }: TokenChanges) {
  const ofType = <Type extends ChangedObject['type']>(type: Type) =>
    items.filter((one): one is Extract<ChangedObject, { type: Type }> => one.type === type);
  return { ...page, apps: ofType('app'), workspaces: ofType('workspace'), others: ofType('other') };
}
