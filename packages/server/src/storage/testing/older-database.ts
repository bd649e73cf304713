import assert from 'node:assert/strict';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { requireStoredSchema } from '../check-schema.ts';
import { isMigrating } from '../migration-progress.ts';
import { openStorage } from '../open-storage.ts';
import type { Storage } from '../storage.ts';
import { laterSchemas, laterVersion } from './later-schemas.ts';
import { execute } from './storage-test.ts';

/** More than two batches of a backfill. */
const appCount = 4_100;

/** A database of the current version with apps of each state, and a storage that knows only this version. */
export async function olderDatabase(engine: Engine) {
  const { url, drop } = await engine.createMigratedDatabase();
  const before = await openStorage(url);
  const numbers = {
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${appCount})`,
    postgres: `with n (i) as (select generate_series(1, ${appCount}))`,
  };
  const statements = [
    `insert into developers (user_id, email, created_at, updated_at, revision_nonce)
      values ('user_1', 'ada@example.com', 1, 1, 'nonce_1')`,
    `insert into apps (id, developer_id, name, name_key, background_color, review_status, installation_count, revision,
        revision_nonce, platform_revision, platform_revision_nonce, created_at, updated_at) ${numbers[before.engine]}
      select 'app_' || i, 'user_1', 'App ' || i, 'app ' || i, '#ffffff', 'DRAFT', 0, 1, 'nonce_1', 1, 'nonce_1', 1, i from n`,
    `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)
      values ('installation_1', 'app_1', 'workspace_1', 'user_1', 1, 1)`,
  ];
  await before.write(async (transaction) => {
    for (const statement of statements) await execute(transaction, statement);
  });
  return { url, before, drop };
}

/** Opens a database with the program of the later versions. */
export function openLater(url: string, onMigrating: (line: string) => void = () => {}): Promise<Storage> {
  return openStorage(url, { schemas: laterSchemas, onMigrating });
}

/** Opens a database, as a process that is killed after some steps of the migration. Returns whether it needs no more. */
export async function isOpened(url: string, stepsMax = 1): Promise<boolean> {
  let lines = 0;
  const onMigrating = (line: string) => {
    if (line.startsWith('waiting')) return;
    lines += 1;
    if (lines > stepsMax) throw new Error('ended');
  };
  try {
    await (await openLater(url, onMigrating)).close();
    return true;
  } catch (error) {
    assert.match(String(error), /ended/);
    return false;
  }
}

/** Asserts that the program of the later versions finds its schema and all that it fills in. */
export async function assertMigrated(url: string): Promise<void> {
  const storage = await openLater(url);
  const expected = { version: laterVersion, isNewer: false, differences: [] };
  assert.deepEqual(await requireStoredSchema(storage), expected);
  assert.equal(await isMigrating(storage), false);
  assert.deepEqual(await execute(storage.reader, 'select id from apps where motto is null or motto <> id'), []);
  await storage.close();
}
