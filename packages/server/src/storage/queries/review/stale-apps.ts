import { sql } from 'kysely';
import { type Connection, change, find, list } from '../../query.ts';

/** The first apps whose derived columns and rows must be recomputed. */
export const listStaleAppIds = list((db, { limit }: { limit: number }) =>
  db.selectFrom('stale_apps').select('app_id').orderBy('app_id').limit(limit),
);

/** Inside a write that has recomputed them. */
export async function deleteStaleApps(connection: Connection, appIds: string[]): Promise<void> {
  await connection.run(connection.builder.deleteFrom('stale_apps').where('app_id', 'in', appIds).compile());
}

/** The id up to which a number of apps after another one go; null when there are fewer. */
export const findLastOfNextApps = find((db, { after, count }: { after: string; count: number }) =>
  db.selectFrom('apps').select('id').where('id', '>', after).orderBy('id').offset(sql<number>`${count} - 1`).limit(1),
);

/** Makes the apps after one id, up to another, stale. */
export const insertStaleApps = change((db, { after, until }: { after: string; until: string }) =>
  db
    .insertInto('stale_apps')
    .columns(['app_id'])
    .expression((from) => from.selectFrom('apps').select('id').where('id', '>', after).where('id', '<=', until))
    .onConflict((conflict) => conflict.doNothing()),
);

/** The version of the data that stored skeletons were made with. */
export const findSkeletonVersion = find((db) => db.selectFrom('identity_versions').select('skeletons'));

export const deleteSkeletonVersions = change((db) => db.deleteFrom('identity_versions'));
