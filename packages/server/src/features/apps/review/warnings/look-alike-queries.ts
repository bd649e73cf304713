import { type RawBuilder, sql } from 'kysely';
import { change, find, list, type Reader } from '../../../../storage/query.ts';
import type { AppIdentityRow, AppRow } from '../../../../storage/tables.ts';

/** A name or host of a developer's app. */
export type Compared = Pick<AppIdentityRow, 'kind' | 'value' | 'skeleton'> & Pick<AppRow, 'developer_id'>;

/** The ids of approved apps of other developers with the same name or host, or one that looks like it. */
export interface LookAlikes {
  same_id: string | null;
  similar_id: string | null;
}

/**
 * How many apps with one value are searched for another developer's. Beyond it, all of them belong to the same developer,
 * or are not approved any more.
 */
const searchedMax = 100;

/** For each of some names and hosts, in their order, one look-alike of each kind. */
export async function listLookAlikes(reader: Reader, compared: Compared[]): Promise<LookAlikes[]> {
  if (compared.length === 0) return [];
  const given = compared.map(
    ({ kind, value, skeleton, developer_id }, at) =>
      sql`(${sql.raw(String(at))}, ${text(kind)}, ${text(value)}, ${text(skeleton)}, ${text(developer_id)})`,
  );
  const query = sql<LookAlikes>`
    with given (place, kind, value, skeleton, developer_id) as (values ${sql.join(given)})
    select ${otherApp('=')} as same_id, coalesce(${otherApp('<')}, ${otherApp('>')}) as similar_id
    from given order by place`;
  return reader.rows(query.compile(reader.builder));
}

/** PostgreSQL cannot infer the type of a parameter among values. */
function text(value: string) {
  return sql`cast(${value} as text)`;
}

/** Approved by another developer, with the same skeleton and a value that compares so: one range of the index. */
function otherApp(comparison: '=' | '<' | '>'): RawBuilder<unknown> {
  return sql`(
    select one_range.app_id from (
      select app_id from app_identities
      where kind = given.kind and source = 'approved' and skeleton = given.skeleton
        and value ${sql.raw(comparison)} given.value
      order by value, app_id limit ${sql.lit(searchedMax)}) as one_range
    join apps on apps.id = one_range.app_id
    where apps.developer_id <> given.developer_id and apps.review_status = 'APPROVED' limit 1)`;
}

/** The approved names and hosts of apps, with the name that identifies the app to people. */
export async function listApprovedIdentities(reader: Reader, appIds: string[]) {
  const query = reader.builder
    .selectFrom('app_identities')
    .innerJoin('apps', 'apps.id', 'app_identities.app_id')
    .select(['app_id', 'kind', 'value', 'skeleton', 'apps.name', 'apps.developer_id'])
    .where('source', '=', 'approved')
    .where('app_id', 'in', appIds)
    .orderBy('app_id')
    .orderBy('field');
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

/** The version of the data that stored skeletons were made with. */
export const findSkeletonVersion = find((db) => db.selectFrom('identity_versions').select('skeletons'));

export const deleteSkeletonVersions = change((db) => db.deleteFrom('identity_versions'));

/** The next apps, in the order of their ids. */
export const listNextAppIds = list((db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('apps').select('id').where('id', '>', after).orderBy('id').limit(limit),
);
