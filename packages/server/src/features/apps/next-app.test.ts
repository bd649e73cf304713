import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { HttpInterface } from '../../../test/operation-fixtures/fixture-interfaces.ts';
import { ids } from '../../../test/operation-fixtures/fixture-objects.ts';
import { operationCases } from '../../../test/operation-fixtures/operation-fixtures.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import type { AppRow } from '../../storage/tables.ts';
import { contentIn } from './app-content.ts';
import { getApp } from './get-app.ts';
import { updateApp } from './update-app.ts';

/** What a client could have seen of an app, and what identifies it. */
interface SeenApp {
  content: string;
  view: string;
  row: AppRow;
  /** The nonces of the platform view. */
  viewNonces: string;
}

/** The operations that change an app as some client sees it. */
const changingOperations = [
  'approveApp',
  'createApp',
  'createInstallation',
  'deleteInstallation',
  'deleteWorkspaceInstallations',
  'disableInstallation',
  'enableInstallation',
  'eraseDeveloper',
  'rejectApp',
  'restoreApp',
  'revertApp',
  'revokeApp',
  'submitApp',
  'suspendDeveloper',
  'transferApp',
  'unsuspendDeveloper',
  'updateApp',
  'updateDeveloper',
  'updateSettings',
  'withdrawApp',
];

onSqlite((engine) => {
  let api: HttpInterface;
  let registry: Registry;
  before(async () => {
    api = await HttpInterface.open(engine);
    ({ registry } = api);
  });
  after(() => api.close());

  test('every visible change of the developer view or the platform view gives the app a new nonce', async () => {
    const seen = await seenApps(registry);
    /** Whether the work changed an app that was seen before. */
    const changes = async (what: string, work: () => Promise<unknown>) => {
      await work();
      const changed = [...(await seenApps(registry))].filter(([id, app]) => hasNewNonce(what, seen.get(id), app));
      for (const [id, app] of changed) seen.set(id, app);
      return changed.length > 0;
    };

    const renamed = (await exportText(registry)).replace('"Lovelace"', '"King"');
    assert.ok(await changes('import of a developer', () => importText(registry, renamed)));

    const changing = new Set<string>();
    for (const [, cases] of operationCases) {
      api.names.forget();
      for (const one of cases) {
        if (await changes(JSON.stringify(one), () => api.request(one))) changing.add(one.operationId);
      }
    }
    assert.deepEqual([...changing].toSorted(), changingOperations);

    const input = { appId: ids.rejected, developerId: ids.ada, update: { listingInfo: { shortDescription: 'New' } } };
    assert.ok(await changes('updateApp', () => updateApp(registry, commandLine, input)));
    const lines = (await exportText(registry)).split('\n');
    const exported = lines.find((line) => line.includes(`"id":"${ids.rejected}"`)) ?? assert.fail();
    for (const [stored, imported] of [
      ['"revision":2', '"revision":900'],
      ['"shortDescription":"New"', '"shortDescription":"Imported"'],
      ['"reviewStatus":"REJECTED"', '"reviewStatus":"AWAITING_REVIEW"'],
    ] as const) {
      const changed = exported.replace(stored, imported);
      assert.ok(await changes(`import of ${imported}`, () => importText(registry, changed)), imported);
    }
    const installation = JSON.stringify(installationOf(ids.rejected));
    assert.ok(await changes('import of an installation', () => importText(registry, installation)));
  });
});

/** Asserts that what was seen of an app before is identified otherwise now, unless it is the same. */
function hasNewNonce(what: string, before: SeenApp | undefined, now: SeenApp): boolean {
  if (!before) return true;
  const isContentSame = before.content === now.content && before.row.revision === now.row.revision;
  const isViewSame = before.view === now.view && before.row.platform_revision === now.row.platform_revision;
  const { row, ...texts } = now;
  const detail = `${what}: ${JSON.stringify([before, texts])}`;
  assert.ok(row.revision_nonce && row.platform_revision_nonce, detail);
  assert.equal(row.revision_nonce === before.row.revision_nonce, isContentSame, detail);
  assert.equal(now.viewNonces === before.viewNonces, isViewSame, detail);
  return !isContentSame || !isViewSame;
}

async function seenApps(registry: Registry): Promise<Map<string, SeenApp>> {
  const rows = (await execute(
    registry.storage.reader,
    `select apps.*, developers.revision_nonce as developer_nonce
      from apps join developers on user_id = developer_id`,
  )) as unknown as (AppRow & { developer_nonce: string | null })[];
  const seen = rows.map(async (row) => {
    const { app } = await getApp(registry, row.id);
    const viewNonces = `${row.platform_revision_nonce} ${row.developer_nonce}`;
    return [row.id, { content: JSON.stringify(contentIn(row)), view: JSON.stringify(app), row, viewNonces }] as const;
  });
  return new Map(await Promise.all(seen));
}
