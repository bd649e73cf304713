import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine, on, postgres } from '@appregistrar/testkit/engines/engines';
import { eventsDuring } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../../storage/storage-failure.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import type { Installation } from './installation.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let other: Registry;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    other = { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
  });
  after(async () => {
    await other.storage.close();
    await fixture.close();
  });

  const install = (appId: string, { workspaceId = newId('workspace'), registry = fixture.registry } = {}) =>
    createInstallation(registry, commandLine, { appId, workspaceId, userId: newId('user') });

  test('while two processes install one app many times, its count always equals its list', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    let isDone = false;
    const compared: Promise<number> = (async () => {
      let times = 0;
      do {
        const [row] = await execute<{ counted: number; listed: number }>(
          fixture.registry.storage.reader,
          `select installation_count as counted, (select count(*) from installations where app_id = apps.id) as listed
           from apps where id = '${appId}'`,
        );
        assert.equal(row?.counted, row?.listed);
        times += 1;
        await turn();
      } while (!isDone);
      return times;
    })();
    const installed = Array.from({ length: 200 }, async (_, at) => {
      const registry = at % 3 === 0 ? other : fixture.registry;
      const installation = await install(appId, { registry });
      const { installations } = (await getApp(fixture.registry, appId)).app;
      assert.ok(installations.some(({ id }) => id === installation.id));
      return installation;
    });
    const all = await Promise.all(installed);
    isDone = true;
    assert.ok((await compared) > 0);
    const { installations } = (await getApp(fixture.registry, appId)).app;
    assert.deepEqual(installations.map(({ id }) => id).sort(), all.map(({ id }) => id).sort());
  });

  test('of many concurrent installations of one app, only those whose workspace has it are refused', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const taken = newId('workspace');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, at) => install(appId, at % 6 === 0 ? { workspaceId: taken } : {})),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 9);
    for (const { reason } of refused) assert.ok(reason instanceof Failure && reason.code === 'already_exists', reason);
    assert.equal((await getApp(fixture.registry, appId)).app.installations.length, 51);
  });

  test('the events of an app have the order of its concurrent changes', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installed = await Promise.all(Array.from({ length: 20 }, () => install(app.id)));
    const change = async (at: number) => {
      const { id } = installed[at] as Installation;
      await setInstallationEnabled(fixture.registry, commandLine, { id, enabled: false });
      const update = { listingInfo: { shortDescription: `The ${at}th.` } };
      await updateApp(fixture.registry, commandLine, { appId: app.id, developerId: app.developerId, update });
      await install(app.id);
      await deleteInstallation(fixture.registry, commandLine, id);
    };
    const events = await eventsDuring(fixture.registry, () => Promise.all(installed.map((_, at) => change(at))));
    for (const { id } of installed) {
      const own = events.filter(({ subject_id: subjectId }) => subjectId === id).map(({ type }) => type);
      assert.deepEqual(own, ['installation.disabled', 'installation.deleted']);
    }
    let text: unknown;
    const updates = events.filter(({ type }) => type === 'app.updated');
    for (const { before: earlier, after: later } of updates) {
      if (text !== undefined) assert.equal(shortDescription(earlier), text);
      text = shortDescription(later);
    }
    assert.equal(updates.length, 20);
    assert.match(String(text), /^The \d+th\.$/);
    assert.equal((await getApp(fixture.registry, app.id)).app.installations.length, 20);
  });
});

test('an installation that was acknowledged is stored, whenever connections are lost', on(postgres), async () => {
  const fixture = await RegistryFixture.open(postgres);
  const killer = await openStorage(fixture.databaseUrl);
  const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let lost = 0;
  const keepInstalling = async () => {
    while (lost < 30 || acknowledged.length < 100) {
      const workspaceId = newId('workspace');
      try {
        const userId = newId('user');
        await createInstallation(fixture.registry, commandLine, { appId, workspaceId, userId });
        acknowledged.push(workspaceId);
      } catch (error) {
        if (error instanceof StorageUnavailable) refused.push(workspaceId);
        else assert.ok(error instanceof UnknownOutcome, String(error));
      }
    }
  };
  const installing = Promise.all(Array.from({ length: 20 }, keepInstalling));
  while (lost < 30) {
    const ended = await execute(
      killer.reader,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and state like 'idle in transaction%' or (state = 'active' and query = 'commit')`,
    );
    lost += ended.length;
  }
  await installing;
  const stored = new Set((await getApp(fixture.registry, appId)).app.installations.map((one) => one.workspaceId));
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  );
  assert.deepEqual(
    refused.filter((id) => stored.has(id)),
    [],
  );
  await killer.close();
  await fixture.close();
});

function shortDescription(data: Record<string, unknown> | null): unknown {
  return (data as { listingInfo?: { shortDescription?: string } } | null)?.listingInfo?.shortDescription;
}
