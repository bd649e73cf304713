import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineChange, defineFind, defineList, type Reader } from '../../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest, type Sorting } from '../../../storage/row-pages.ts';
import { type AppRow, type ComparisonKeyRow, columns, type ProtectedNameRow } from '../../../storage/tables.ts';

/** A name or host of a developer's app. Others with the same name or site have a value that starts with `owned`. */
export type Compared = Pick<ComparisonKeyRow, 'kind' | 'skeleton'> & Pick<AppRow, 'developer_id'> & { owned: string };

/** The ids of approved apps of other developers with the same name or site, or one that looks like it. */
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
    ({ kind, owned, skeleton, developer_id }, at) =>
      sql`(${sql.raw(String(at))}, ${text(kind)}, ${text(owned)}, ${text(endOf(kind, owned))}, ${text(skeleton)},
        ${text(developer_id)})`,
  );
  const query = sql<LookAlikes>`
    with given (place, kind, first, after, skeleton, developer_id) as (values ${sql.join(given)})
    select ${otherApp(sql`value >= given.first and value < given.after`)} as same_id,
      coalesce(${otherApp(sql`value < given.first`)}, ${otherApp(sql`value >= given.after`)}) as similar_id
    from given order by place`;
  return reader.rows(query.compile(reader.builder));
}

/** Before what the values of the same name, or of the hosts of the same site, end. */
function endOf(kind: Compared['kind'], owned: string): string {
  // The slash follows the dot, with which the key of a site ends. No name has a control character.
  return kind === 'host' ? `${owned.slice(0, -1)}/` : `${owned}\u0001`;
}

/** PostgreSQL cannot infer the type of a parameter among values. */
function text(value: string) {
  return sql`cast(${value} as text)`;
}

/** Approved by another developer, with the same skeleton and a value in this range: one range of the index. */
function otherApp(range: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select one_range.app_id from (
      select app_id from app_comparison_keys
      where kind = given.kind and source = 'approved' and skeleton = given.skeleton and ${range}
      order by value, app_id limit ${sql.lit(searchedMax)}) as one_range
    join apps on apps.id = one_range.app_id
    where apps.developer_id <> given.developer_id and apps.review_status = 'APPROVED' limit 1)`;
}

/** The approved names and hosts of apps, with the name that identifies the app to people. */
export async function listApprovedComparisonKeys(reader: Reader, appIds: string[]) {
  const query = reader.builder
    .selectFrom('app_comparison_keys')
    .innerJoin('apps', 'apps.id', 'app_comparison_keys.app_id')
    .select(['app_id', 'kind', 'value', 'skeleton', 'apps.name', 'apps.developer_id'])
    .where('source', '=', 'approved')
    .where('app_id', 'in', appIds)
    .orderBy('app_id')
    .orderBy('field');
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

/** The version of the data that stored skeletons were made with. */
export const findSkeletonVersion = defineFind((db) => db.selectFrom('comparison_key_versions').select('skeletons'));

export const deleteSkeletonVersions = defineChange((db) => db.deleteFrom('comparison_key_versions'));

/** The next apps, in the order of their ids. */
export const listNextAppIds = defineList((db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('apps').select('id').where('id', '>', after).orderBy('id').limit(limit),
);

export const findProtectedNameByKey = defineFind((db, { kind, key }: Pick<ProtectedNameRow, 'kind' | 'key'>) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('kind', '=', kind).where('key', '=', key),
);

export const updateProtectedKey = defineChange((db, { id, key }: Pick<ProtectedNameRow, 'id' | 'key'>) =>
  db.updateTable('protected_names').set({ key }).where('id', '=', id),
);

/** Inside a write: all protected names, locked. */
export const listProtectedNamesForUpdate = defineList((db) =>
  db.selectFrom('protected_names').select(columns.protected_names).orderBy('id').forUpdate(),
);

/** Far below the number of values that either engine allows in a statement. */
const keysMax = 5_000;

/** The protected names with one of these keys. */
export async function listProtectedNames(
  reader: Reader,
  { kind, keys }: { kind: ProtectedNameRow['kind']; keys: string[] },
): Promise<ProtectedNameRow[]> {
  const found: ProtectedNameRow[] = [];
  for (let at = 0; at < keys.length; at += keysMax) {
    const query = reader.builder
      .selectFrom('protected_names')
      .select(columns.protected_names)
      .where('kind', '=', kind)
      .where('key', 'in', keys.slice(at, at + keysMax));
    found.push(...(await reader.rows(query.compile())));
  }
  return found;
}

export const findProtectedName = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('id', '=', id),
);

export const findProtectedNameForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('id', '=', id).forUpdate(),
);

export const deleteProtectedNameRow = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('protected_names').where('id', '=', id),
);

/** A page of the protected names. Throws `ForeignPosition`. */
export function listProtectedNamePage(
  connection: Connection,
  { sorting, ...request }: PageRequest & { sorting: Sorting<'id'> },
): Promise<PageOfRows<ProtectedNameRow>> {
  const query = connection.builder.selectFrom('protected_names').select(columns.protected_names);
  return listPage(connection, { query, ...sorting }, request);
}
