import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { defineList, defineStream, type QueryBuilder, type Reader, type Snapshot } from '../../storage/query.ts';
import { columns, type LogoRow, type Tables } from '../../storage/tables.ts';

/** A row that violates an invariant. */
interface BrokenRow {
  id: string;
}

/** The rows of a table whose keys are at least `low` and below `high`. Every key is in one of the ranges that follow each other. */
export interface KeyRange {
  low: string;
  high: string;
}

/** Above every key. */
export const lastKey = '\u{10ffff}';

/** The keys of a table above another, in order. */
export async function listNextKeys(
  reader: Reader,
  { table, low, limit }: { table: CheckedTable; low: string; limit: number },
): Promise<string[]> {
  const key = sql.ref(columns[table][0]);
  const query = sql<{
    key: string;
  }>`select ${key} as key from ${sql.table(table)} where ${key} > ${low} order by ${key} limit ${limit}`;
  return (await reader.rows(query.compile(reader.builder))).map((row) => row.key);
}

/** The tables whose rows are checked in ranges of their first key column, in this order. */
export const checkedTables = [
  'developers',
  'logos',
  'apps',
  'deleted_apps',
  'search_texts',
  'app_comparison_keys',
  'installations',
  'access_tokens',
  'idempotency_keys',
  'sessions',
] as const;
export type CheckedTable = (typeof checkedTables)[number];

/** The apps from a key on, with the numbers of their installations. */
export const listNextAppCounts = defineList((db, { low, limit }: { low: string; limit: number }) =>
  db.selectFrom('apps').select(['id', 'installation_count']).where('id', '>=', low).orderBy('id').limit(limit),
);

export const streamDevelopersIn = streamIn('developers', columns.developers);
export const streamAppsIn = streamIn('apps', columns.apps);
export const streamDeletedAppsIn = streamIn('deleted_apps', columns.deleted_apps);
/** What is checked of the row alone: there are so many that each column counts. */
export const streamInstallationsIn = streamIn('installations', [
  'id',
  'workspace_id',
  'user_id',
  'enabled',
  'disabled_by',
]);
/** Omits large and secret columns. */
export const streamTokensIn = streamIn('access_tokens', ['id', 'developer_id']);
export const streamLogoBlocksIn = streamIn('logos', ['id', 'blocked_at', 'blocked_reason']);
/** The responses stored for idempotency keys, without the requests. */
export const streamIdempotentResponsesIn = streamIn('idempotency_keys', ['token_id', 'key', 'response']);

/** The rows of a range of a table, in order. */
function streamIn<Table extends CheckedTable, Column extends keyof Tables[Table] & string>(
  table: Table,
  selected: readonly Column[],
) {
  const [key] = columns[table];
  return defineStream((db, range: KeyRange) =>
    raw<Pick<Tables[Table], Column>>(
      db,
      sql`select ${sql.join(selected.map((column) => sql.ref(column)))} from ${sql.table(table)}
        where ${within(key, range)} order by ${sql.ref(key)}`,
    ),
  );
}

/** The existing ones of these logo ids. */
export function streamOwnersOfLogos(
  snapshot: Snapshot,
  ids: string[],
): AsyncIterable<Pick<LogoRow, 'id' | 'developer_id'>[]> {
  const logos = snapshot.builder.selectFrom('logos').select(['id', 'developer_id']).where('id', 'in', ids);
  return snapshot.stream(logos.compile());
}

const installationsOfApp = sql<number>`(select count(*) from installations where installations.app_id = apps.id)`;

/** Apps whose `installation_count` differs from the number of their installations. */
export const streamMiscounted = defineStream((db, range: KeyRange) =>
  db
    .selectFrom('apps')
    .select(['id', 'installation_count', installationsOfApp.as('installations')])
    .where(within('id', range))
    .where('installation_count', '<>', installationsOfApp)
    .orderBy('id'),
);

/** Workspaces with several installations of one app. */
export const streamSharedWorkspaces = defineStream((db, range: KeyRange) =>
  raw<{ app_id: string; workspace_id: string }>(
    db,
    sql`select app_id, workspace_id from installations where ${within('app_id', range)}
      group by app_id, workspace_id having count(*) > 1 order by app_id, workspace_id`,
  ),
);

/** Apps that exist although they are recorded as deleted. */
export const streamHalfDeleted = defineStream((db, range: KeyRange) =>
  db
    .selectFrom('deleted_apps')
    .innerJoin('apps', 'apps.id', 'deleted_apps.id')
    .select('deleted_apps.id')
    .where(within('deleted_apps.id', range))
    .orderBy('deleted_apps.id'),
);

/** Installations of approved apps that wait for an approval. */
export const streamWronglyRevokedInstallations = defineStream((db, range: KeyRange) =>
  db
    .selectFrom('installations')
    .innerJoin('apps', 'apps.id', 'installations.app_id')
    .select('installations.id')
    .where(within('installations.id', range))
    .where('installations.disabled_by', 'like', sql.lit('%revocation%'))
    .where(({ eb, or }) =>
      or([eb('apps.review_status', '=', 'APPROVED'), eb('apps.suspended_status', '=', 'APPROVED')]),
    )
    .orderBy('installations.id'),
);

/** The claims that apps should have and do not, and those that they have and should not. */
export const streamWrongClaims = defineStream((db, range: KeyRange) => {
  const current = sql`select name_claim as name_key, id as app_id from apps
    where name_claim is not null and ${within('id', range)}`;
  const approved = sql`select approved_name_key, id from apps
    where name_claim is not null and approved_name_key is not null and ${within('id', range)}`;
  const claims = sql`select name_key, app_id from name_claims where ${within('app_id', range)}`;
  return raw<{ name_key: string; app_id: string; is_missing: 0 | 1 }>(
    db,
    sql`select name_key, app_id, 1 as is_missing from (${current} union ${approved} except ${claims}) as missing
      union all select name_key, app_id, 0 from (${claims} except ${current} except ${approved}) as extra
      order by name_key, app_id`,
  );
});

/** Apps that are marked as suspended without their developer, or the other way round. */
export const streamWronglySuspendedApps = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    sql`select apps.id from apps join developers on developers.user_id = apps.developer_id
      where ${within('apps.id', range)} and (apps.suspended_status is null) <> (developers.suspended_at is null)
      order by apps.id`,
  ),
);

/** The same for tokens. */
export const streamWronglySuspendedTokens = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    sql`select access_tokens.id from access_tokens join developers on developers.user_id = access_tokens.developer_id
      where ${within('access_tokens.id', range)} and (access_tokens.suspended = 0) <> (developers.suspended_at is null)
      order by access_tokens.id`,
  ),
);

const isDisabledBySuspension = sql<SqlBool>`(installations.enabled = 0 and coalesce(disabled_by, '') like '%suspension%')`;

/** Installations of suspended apps that the suspension has not disabled, in a range of apps: few are suspended. */
export const streamNotSuspendedInstallations = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    // SQLite keeps the order of a cross join, and would otherwise read all installations of the range.
    sql`select installations.id from apps cross join installations
      where ${within('apps.id', range)} and apps.suspended_status is not null
        and installations.app_id = apps.id and not ${isDisabledBySuspension}
      order by apps.id`,
  ),
);

/** Installations that a suspension has disabled, of apps that are not suspended. Reading them by app would jump between pages. */
export const streamWronglySuspendedInstallations = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    sql`select id from installations where ${within('id', range)} and ${isDisabledBySuspension}
      and (select suspended_status is null from apps where apps.id = installations.app_id) order by id`,
  ),
);

/** For each foreign key: the rows whose target does not exist, in a range of the named column. */
export const danglingReferences = (
  [
    { table: 'logos', column: 'developer_id', to: 'developers', by: 'id' },
    { table: 'apps', column: 'developer_id', to: 'developers', by: 'id' },
    { table: 'installations', column: 'app_id', to: 'apps', by: 'app_id' },
    { table: 'access_tokens', column: 'developer_id', to: 'developers', by: 'id' },
    { table: 'deleted_apps', column: 'developer_id', to: 'developers', by: 'id' },
    { table: 'idempotency_keys', column: 'token_id', to: 'access_tokens', by: 'token_id' },
    { table: 'sessions', column: 'token_id', to: 'access_tokens', by: 'hash' },
  ] as const
).map(({ table, column, to, by }) => ({
  table,
  column,
  stream: defineStream((db, range: KeyRange) => {
    const [reference, key] = [sql.ref(`one.${column}`), sql.ref(`other.${columns[to][0]}`)];
    const id = sql.ref(`one.${columns[table][0]}`);
    return raw<BrokenRow>(
      db,
      sql`select ${id} as id from ${sql.table(table)} as one left join ${sql.table(to)} as other on ${key} = ${reference}
        where ${within(`one.${by}`, range)} and ${reference} is not null and ${key} is null order by ${sql.ref(`one.${by}`)}`,
    );
  }),
}));

/** Search texts of objects that do not exist, and are not marked. */
export const streamOrphanTexts = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    sql`select subject_id as id from search_texts where ${within('subject_id', range)}
      and not exists (select 1 from apps where id = subject_id) and not exists (select 1 from deleted_apps where id = subject_id)
      and not exists (select 1 from developers where user_id = subject_id)
      and not exists (select 1 from pending_projections as mark where mark.subject_id = search_texts.subject_id)
      order by subject_id`,
  ),
);

/** The same for names and hosts. A deleted app has none. */
export const streamOrphanComparisonKeys = defineStream((db, range: KeyRange) =>
  raw<BrokenRow>(
    db,
    sql`select distinct app_id as id from app_comparison_keys where ${within('app_id', range)}
      and not exists (select 1 from apps where id = app_id)
      and not exists (select 1 from pending_projections where subject_id = app_id) order by app_id`,
  ),
);

interface SinceArchive {
  /** The latest time of an archived event: the events of older objects may be in a file. */
  archivedUntil: number;
}

/** Apps and installations without the event of their creation. The events of an app are many, and read once for both. */
export const streamEventlessOfApps = defineStream((db, { low, high, archivedUntil }: KeyRange & SinceArchive) => {
  const created = (table: 'apps' | 'installations', appId: string) =>
    sql`id from ${sql.table(table)} where ${within(appId, { low, high })} and created_at > ${archivedUntil}`;
  return raw<BrokenRow & { type: 'app.created' | 'installation.created' }>(
    db,
    sql`select 'app.created' as type, ${created('apps', 'id')}
      union all select 'installation.created', ${created('installations', 'app_id')}
      except select type, subject_id from events where ${within('app_id', { low, high })}
        and type in ('app.created', 'installation.created') order by type, id`,
  );
});

/** Deleted apps without the event of their deletion. Those of the existing apps of the range are not read. */
export const streamEventlessDeletedApps = defineStream((db, { low, high, archivedUntil }: KeyRange & SinceArchive) =>
  raw<BrokenRow>(
    db,
    sql`select id from deleted_apps where ${within('id', { low, high })} and deleted_at > ${archivedUntil}
      and (select count(*) from events where app_id = deleted_apps.id and subject_id = deleted_apps.id
        and type = 'app.deleted') = 0 order by id`,
  ),
);

/** Objects of no app, without the event of their creation. Their events are few beside those of apps, and no index orders them by object. */
export const eventlessOthers = (
  [
    { table: 'developers', type: 'developer.created' },
    { table: 'logos', type: 'logo.created' },
    { table: 'access_tokens', type: 'token.created' },
  ] as const
).map(({ table, type }) => ({
  table,
  type,
  stream: defineStream((db, { archivedUntil }: SinceArchive) =>
    raw<BrokenRow>(
      db,
      sql`select ${sql.ref(columns[table][0])} as id from ${sql.table(table)} where created_at > ${archivedUntil}
        except select subject_id from events where app_id is null and type = ${type} order by id`,
    ),
  ),
}));

function within(column: string, { low, high }: KeyRange): RawBuilder<SqlBool> {
  const key = sql.ref(column);
  return sql<SqlBool>`${key} >= ${low} and ${key} < ${high}`;
}

function raw<Row>(db: QueryBuilder, query: RawBuilder<unknown>) {
  return { compile: () => query.$castTo<Row>().compile(db) };
}
