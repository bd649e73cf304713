import { type RawBuilder, sql } from 'kysely';
import {
  type Connection,
  defineChange,
  defineFind,
  defineInsert,
  defineList,
  defineStream,
  type QueryBuilder,
} from '../../storage/query.ts';
import { changesToApproved } from '../../storage/request-lookups.ts';
import {
  type IndexRanges,
  isTime,
  keysInRanges,
  listPage,
  type PageOfRows,
  type PageRequest,
  rowsInRanges,
  type Sorting,
} from '../../storage/row-pages.ts';
import { type AppRow, type ComparisonKeyRow, columns, contentColumns, type SettingsRow } from '../../storage/tables.ts';
import type { ShownInstallation } from '../installations/installation-queries.ts';

/** An app, and the setting for changes to approved content. */
export type AppRowWithSetting = AppRow & Pick<SettingsRow, 'changes_to_approved'>;

export const findApp = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('apps').select(columns.apps).where('id', '=', id),
);

/** The app with the setting for changes to approved content. */
export const findAppWithSetting = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('apps').select(columns.apps).select(changesToApproved).where('id', '=', id),
);

/** Inside a write: the app, locked until the write ends. */
export const findAppForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('apps').select(columns.apps).where('id', '=', id).forUpdate(),
);

/** Those of these names that apps hold exclusively, as their current or their approved one. */
export async function listNameClaims(
  connection: Connection,
  keys: string[],
): Promise<{ name_key: string; app_id: string }[]> {
  const claims = connection.builder
    .selectFrom('name_claims')
    .select(['name_key', 'app_id'])
    .where('name_key', 'in', keys);
  return connection.rows(claims.compile());
}

/** The review statuses of these apps: now, and before the suspension of their developer. */
export async function listAppStatuses(
  connection: Connection,
  ids: string[],
): Promise<Pick<AppRow, 'id' | 'review_status' | 'suspended_status'>[]> {
  const apps = connection.builder
    .selectFrom('apps')
    .select(['id', 'review_status', 'suspended_status'])
    .where('id', 'in', ids);
  return connection.rows(apps.compile());
}

/** Inside a write: the existing ones of these app ids, locked until the write ends. */
export async function listAppIdsForUpdate(connection: Connection, ids: string[]): Promise<string[]> {
  // In a fixed order, so that two writes of the same apps cannot deadlock.
  const apps = connection.builder.selectFrom('apps').select('id').where('id', 'in', ids).orderBy('id').forUpdate();
  const rows = await connection.rows(apps.compile());
  return rows.map(({ id }) => id);
}

export const insertApp = defineInsert('apps');

const mutableColumns = columns.apps.filter((name) => !['id', 'developer_id', 'created_at'].includes(name));

/** Updates all mutable columns. */
export const updateApp = defineChange((db, row: AppRow) =>
  db
    .updateTable('apps')
    .set(Object.fromEntries(mutableColumns.map((name) => [name, row[name]])))
    .where('id', '=', row.id),
);

const updatedColumns = [
  ...contentColumns.filter((name) => name !== 'name' && name !== 'logo_id'),
  'revision',
  'revision_nonce',
  'platform_revision',
  'platform_revision_nonce',
  'updated_at',
  'shown_at',
] as const;
export const appContentUpdateColumns: ReadonlySet<string> = new Set(updatedColumns);

/**
 * Updates the content of an app whose name and logo are unchanged. SQLite rewrites every index of an updated column, regardless of
 * its value, and these columns are in none: updating all columns takes three times as long.
 */
export const updateAppContent = defineChange((db, row: AppRow) =>
  db
    .updateTable('apps')
    .set(Object.fromEntries(updatedColumns.map((name) => [name, row[name]])))
    .where('id', '=', row.id),
);

/** An installation was created, deleted, enabled or disabled: the platform view of the app changed. `nonce` is new. */
export const updateInstallationCount = defineChange(
  (db, { id, by, revisionNonce }: { id: string; by: number; revisionNonce: string }) =>
    db
      .updateTable('apps')
      .set((column) => ({
        installation_count: column('installation_count', '+', by),
        platform_revision: column('platform_revision', '+', 1),
        platform_revision_nonce: revisionNonce,
      }))
      .where('id', '=', id),
);

/** The same for several apps, each with the same number of new installations. */
export async function updateInstallationCounts(
  connection: Connection,
  { ids, by, revisionNonce }: { ids: string[]; by: number; revisionNonce: string },
): Promise<void> {
  const update = connection.builder
    .updateTable('apps')
    .set((column) => ({
      installation_count: column('installation_count', '+', by),
      platform_revision: column('platform_revision', '+', 1),
      platform_revision_nonce: revisionNonce,
    }))
    .where('id', 'in', ids);
  await connection.run(update.compile());
}

/** Inside a write: the next apps of a status whose content has another revision than the approved one. */
export const listAppsChangedSinceApproval = defineList(
  (db, { status, id, limit }: { status: AppRow['review_status']; id: string; limit: number }) =>
    db
      .selectFrom('apps')
      .select(columns.apps)
      .where('review_status', '=', status)
      .where(sql<number>`changed_since_approval`, '=', 1)
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit),
);

/** Inside a write: no other write locks, changes or creates an app until this one ends. Reads continue. */
export async function lockAllApps(connection: Connection, engine: 'sqlite' | 'postgres'): Promise<void> {
  // SQLite has one write at a time.
  if (engine === 'postgres') await connection.run(sql`lock table apps in exclusive mode`.compile(connection.builder));
}

export const claimNames = defineChange((db) =>
  db
    .updateTable('apps')
    .set((column) => ({ name_claim: column.ref('name_key') }))
    .where(sql`name_claim`, 'is', null),
);

export const releaseNames = defineChange((db) =>
  db.updateTable('apps').set({ name_claim: null }).where(sql`name_claim`, 'is not', null),
);

/** The first names that several apps have, as their current or their approved one. */
export const listSharedNames = defineList((db) =>
  db
    .selectFrom(
      db
        .selectFrom('apps')
        .select(['id', 'name_key'])
        .union(
          db
            .selectFrom('apps')
            .select(['id', sql<string>`approved_name_key`.as('name_key')])
            .where('approved_name_key', 'is not', null),
        )
        .as('held'),
    )
    .select('name_key')
    .groupBy('name_key')
    .having((column) => column.fn.countAll(), '>', 1)
    .orderBy('name_key')
    .limit(11),
);

/** Inside a write: the existing apps with these ids, locked until the write ends. */
export async function listAppsForUpdate(connection: Connection, ids: string[]): Promise<AppRow[]> {
  const apps = connection.builder
    .selectFrom('apps')
    .select(columns.apps)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate();
  return connection.rows(apps.compile());
}

/** Those of these ids whose apps were deleted and can be restored. */
export async function listDeletedAppIds(connection: Connection, ids: string[]): Promise<string[]> {
  const apps = connection.builder.selectFrom('deleted_apps').select('id').where('id', 'in', ids);
  const rows = await connection.rows(apps.compile());
  return rows.map(({ id }) => id);
}

/** For an `id` that is set, SQLite looks for rows that refer to it, though it stays the same. */
const replacedColumns = columns.apps.filter((name) => name !== 'id');

/** Updates every column of an app. */
export const replaceApp = defineChange((db, row: AppRow) =>
  db
    .updateTable('apps')
    .set(Object.fromEntries(replacedColumns.map((name) => [name, row[name]])))
    .where('id', '=', row.id),
);

export interface AppFilter {
  statuses?: readonly AppRow['review_status'][] | undefined;
  developerId?: string | undefined;
  changedSinceApproval?: boolean | undefined;
  /** Prefix of the name keys. */
  nameKeyPrefix?: string | undefined;
  /** At most a page of ids; excludes other filters. */
  ids?: string[] | undefined;
}

type AppSorting = Sorting<'id' | 'name_key' | 'created_at' | 'updated_at'>;

/** A page of the apps that match every filter. With a prefix of names, the order begins with them. Throws `ForeignPosition`. */
export function listAppPage(
  connection: Connection,
  filter: AppFilter,
  { sorting, ...request }: PageRequest & { sorting: AppSorting },
): Promise<PageOfRows<AppRowWithSetting>> {
  const query = connection.builder
    .selectFrom('apps')
    .select(columns.apps)
    .select(changesToApproved)
    .where('id', 'in', filter.ids ?? appIds(filter, sorting, request));
  return listPage(connection, { query, ...sorting }, request);
}

/** Selects the ids of the first apps that match every filter, of a page and one more. */
function appIds(filter: AppFilter, sorting: AppSorting, request: PageRequest): RawBuilder<string> {
  return keysInRanges(
    { table: 'apps', ...rangesOf(filter, sorting), ...sorting, prefix: filter.nameKeyPrefix },
    request,
  );
}

/** Selects the ids of apps that match every filter, up to a limit. */
export function someAppIds(filter: AppFilter, sorting: AppSorting, limit: number): RawBuilder<string> {
  if (filter.ids) return sql`select id from apps where id in (${sql.join(filter.ids)}) limit ${limit}`;
  return appIds(filter, sorting, { limit: limit - 1 });
}

/**
 * A status and a change flag have few values: a list without a filter for them is the union of the ranges of all
 * values. So few indexes serve every combination of filters.
 */
function rangesOf(
  { statuses = allStatuses, developerId, changedSinceApproval }: AppFilter,
  { order }: AppSorting,
): Pick<IndexRanges, 'leading' | 'ranges'> {
  const isWhole = statuses === allStatuses && developerId === undefined && changedSinceApproval === undefined;
  // Without an index of a time alone: each makes every update more expensive.
  if (isWhole && !isTime(order[0])) return { leading: [], ranges: [[]] };
  const changes = changedSinceApproval === undefined ? [0, 1] : [Number(changedSinceApproval)];
  const ranges = [...new Set(statuses)].flatMap((one) => changes.map((change) => [one, change]));
  const leading = ['review_status', 'changed_since_approval'];
  if (developerId === undefined) return { leading, ranges };
  return { leading: ['developer_id', ...leading], ranges: ranges.map((values) => [developerId, ...values]) };
}

const allStatuses: readonly AppRow['review_status'][] = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'];

/** Delete everything that refers to the app first. */
export const deleteApp = defineChange((db, { id }: { id: string }) => db.deleteFrom('apps').where('id', '=', id));

/** The columns that order the list, of which an app has several rows. */
const order = ['value', 'app_id', 'source', 'field'] as const;
type HostOfApp = Pick<ComparisonKeyRow, (typeof order)[number]>;

/**
 * A page of the apps that have a host or one below it, by host. Each app comes once, at its first host, and the page reads
 * no more rows than its limit from the index; so it may have fewer apps, also none, although the list continues.
 */
export async function listAppPageByHost(
  connection: Connection,
  { hostKey, ...filter }: AppFilter & { hostKey: string },
  request: PageRequest,
): Promise<PageOfRows<AppRowWithSetting>> {
  const { rows: hosts, ...around } = await listHostPage(connection, hostKey, request);
  if (hosts.length === 0) return { rows: [], ...around };
  const ids = [...new Set(hosts.map(({ app_id }) => app_id))];
  const [all, apps] = await Promise.all([
    listAppHosts(connection, hostKey, ids),
    listMatchingApps(connection, filter, ids),
  ]);
  const firstOf = new Map(all.toReversed().map((host) => [host.app_id, host]));
  const appOf = new Map(apps.map((app) => [app.id, app]));
  const firsts = hosts.filter((host) => order.every((column) => host[column] === firstOf.get(host.app_id)?.[column]));
  return { rows: firsts.flatMap(({ app_id }) => appOf.get(app_id) ?? []), ...around };
}

/** One query, by the index of hosts. */
export function listHostPage(
  connection: Connection,
  hostKey: string,
  request: PageRequest,
): Promise<PageOfRows<HostOfApp>> {
  const also = sql<boolean>`kind = 'host'`;
  const hosts = { table: 'app_comparison_keys', leading: [], ranges: [[]], order, prefix: hostKey, also } as const;
  const [range] = rowsInRanges(hosts, request);
  const query = connection.builder.selectFrom(sql<HostOfApp>`(${range})`.as('one_range')).select(order);
  return listPage(connection, { query: query as never, order }, request);
}

/** The hosts of some apps that are in the list, in its order. */
function listAppHosts(connection: Connection, hostKey: string, ids: string[]): Promise<HostOfApp[]> {
  const query = connection.builder
    .selectFrom('app_comparison_keys')
    .select(order)
    .where('app_id', 'in', ids)
    .where('kind', '=', 'host')
    .where(startsWith('value', hostKey));
  return connection.rows(order.reduce((sorted, column) => sorted.orderBy(column), query).compile());
}

function listMatchingApps(
  connection: Connection,
  { statuses, developerId, changedSinceApproval, nameKeyPrefix }: AppFilter,
  ids: string[],
): Promise<AppRowWithSetting[]> {
  let query = connection.builder
    .selectFrom('apps')
    .select(columns.apps)
    .select(changesToApproved)
    .where('id', 'in', ids);
  if (statuses !== undefined) query = query.where('review_status', 'in', statuses);
  if (developerId !== undefined) query = query.where('developer_id', '=', developerId);
  if (nameKeyPrefix !== undefined) query = query.where(startsWith('name_key', nameKeyPrefix));
  if (changedSinceApproval !== undefined) {
    query = query.where(sql<boolean>`changed_since_approval = ${Number(changedSinceApproval)}`);
  }
  return connection.rows(query.compile());
}

/** A condition that leads to no search by this column: the rows are found by their ids. */
function startsWith(column: string, prefix: string) {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit([...prefix].length)}) = ${prefix}`;
}

/** The app with its developer and installations. */
interface AppSnapshot {
  app: PlatformAppRow;
  /** By creation. */
  installations: ShownInstallation[];
}

/** Returns null also if the app has more installations than `installationsMax`. One statement is one snapshot on every engine. */
export async function findAppSnapshot(
  connection: Connection,
  values: { id: string; installationsMax: number },
): Promise<AppSnapshot | null> {
  const app = await findPlatformAppWithTexts(connection, values);
  return app && { app, installations: app.installations === null ? [] : shownInstallations(app.id, app.installations) };
}

/** Returns the installations as one text: reading a row for each takes several times as long. */
const findPlatformAppWithTexts = defineFind((db, { id, installationsMax }: { id: string; installationsMax: number }) =>
  platformApp(db, id)
    .where('apps.installation_count', '<=', installationsMax)
    .select(
      sql<string | null>`(
        select string_agg(id || ' ' || workspace_id || ' ' || user_id || ' ' || enabled || ' ' || created_at, ' '
          order by created_at, id)
        from installations where app_id = apps.id)`.as('installations'),
    ),
);

function shownInstallations(appId: string, text: string): ShownInstallation[] {
  const values = text.split(' ');
  const rows: ShownInstallation[] = [];
  for (let at = 0; at < values.length; at += 5) {
    const [id = '', workspaceId = '', userId = '', enabled, createdAt] = values.slice(at, at + 5);
    rows.push({
      id,
      app_id: appId,
      workspace_id: workspaceId,
      user_id: userId,
      enabled: enabled === '1' ? 1 : 0,
      created_at: Number(createdAt),
    });
  }
  return rows;
}

/** The app with its developer, without its installations. */
export const findPlatformApp = defineFind((db, { id }: { id: string }) => platformApp(db, id));
export type PlatformAppRow = NonNullable<Awaited<ReturnType<typeof findPlatformApp>>>;

export const streamPlatformApp = defineStream((db, { id }: { id: string }) => platformApp(db, id));

function platformApp(db: QueryBuilder, id: string) {
  return db
    .selectFrom('apps')
    .innerJoin('developers', 'developers.user_id', 'apps.developer_id')
    .where('apps.id', '=', id)
    .select([
      'apps.id',
      ...contentColumns.map((name) => `apps.${name}` as const),
      'apps.approved_content',
      'apps.cleared_since_approval',
      changesToApproved,
      'apps.review_status',
      'apps.platform_revision',
      'apps.platform_revision_nonce',
      'developers.revision_nonce as developer_nonce',
      'apps.created_at',
      'apps.updated_at',
      'apps.shown_at',
      'developers.user_id as developer_user_id',
      'developers.email',
      'developers.first_name',
      'developers.last_name',
    ]);
}
