import { type RawBuilder, sql } from 'kysely';
import { stream } from '../query.ts';
import type { Snapshot } from '../snapshot.ts';
import type { QueryBuilder } from '../statement.ts';
import { columns, type LogoRow } from '../tables.ts';

/** A row that violates an invariant. */
interface BrokenRow {
  id: string;
}

/** Omits large and secret columns. */
export const streamTokens = stream((db) => db.selectFrom('access_tokens').select(['id', 'developer_id']).orderBy('id'));
export const streamLogoBlocks = stream((db) =>
  db.selectFrom('logos').select(['id', 'blocked_at', 'blocked_reason']).orderBy('id'),
);

/** The existing ones of these logo ids. */
export function streamOwnersOfLogos(
  snapshot: Snapshot,
  ids: string[],
): AsyncIterable<Pick<LogoRow, 'id' | 'developer_id'>[]> {
  const logos = snapshot.builder.selectFrom('logos').select(['id', 'developer_id']).where('id', 'in', ids);
  return snapshot.stream(logos.compile());
}

/** The responses stored for idempotency keys, without the requests. */
export const streamIdempotentResponses = stream((db) =>
  db.selectFrom('idempotency_keys').select(['token_id', 'key', 'answer']).orderBy('token_id').orderBy('key'),
);

const installationsOfApp = sql<number>`(select count(*) from installations where installations.app_id = apps.id)`;

/** Apps whose `installation_count` differs from the number of their installations. */
export const streamMiscounted = stream((db) =>
  db
    .selectFrom('apps')
    .select(['id', 'installation_count', installationsOfApp.as('installations')])
    .where('installation_count', '<>', installationsOfApp)
    .orderBy('id'),
);

/** Names that several apps claim exclusively. */
export const streamSharedClaims = stream((db) =>
  raw<{ name_claim: string }>(
    db,
    sql`select name_claim from apps where name_claim is not null group by name_claim having count(*) > 1 order by name_claim`,
  ),
);

/** Workspaces with several installations of one app. */
export const streamSharedWorkspaces = stream((db) =>
  raw<{ app_id: string; workspace_id: string }>(
    db,
    sql`select app_id, workspace_id from installations group by app_id, workspace_id having count(*) > 1
      order by app_id, workspace_id`,
  ),
);

/** Apps that exist although they are recorded as deleted. */
export const streamHalfDeleted = stream((db) =>
  db
    .selectFrom('deleted_apps')
    .innerJoin('apps', 'apps.id', 'deleted_apps.id')
    .select('deleted_apps.id')
    .orderBy('deleted_apps.id'),
);

/** Revocation marks that should not exist: on an enabled installation, or on one of another app or of an approved one. */
export const streamWrongMarks = stream((db) =>
  db
    .selectFrom('revoked_installations as mark')
    .innerJoin('installations', 'installations.id', 'mark.id')
    .innerJoin('apps', 'apps.id', 'installations.app_id')
    .select(['mark.id', 'mark.app_id', 'installations.app_id as installed_app_id', 'installations.enabled'])
    .select('apps.review_status')
    .where(({ eb, or, ref }) =>
      or([
        eb('installations.enabled', '=', 1),
        eb('apps.review_status', '=', 'APPROVED'),
        eb('apps.suspended_status', '=', 'APPROVED'),
        eb('mark.app_id', '<>', ref('installations.app_id')),
      ]),
    )
    .orderBy('mark.id'),
);

/** The claims that apps should have and do not, and those that they have and should not. */
export const streamWrongClaims = stream((db) =>
  raw<{ name_key: string; app_id: string; is_missing: 0 | 1 }>(
    db,
    sql`select name_key, app_id, 1 as is_missing from (
        select name_claim as name_key, id as app_id from apps where name_claim is not null
        union select approved_name_key, id from apps where name_claim is not null and approved_name_key is not null
        except select name_key, app_id from name_claims) as missing
      union all select name_key, app_id, 0 from (
        select name_key, app_id from name_claims
        except select name_claim, id from apps where name_claim is not null
        except select approved_name_key, id from apps where name_claim is not null and approved_name_key is not null) as extra
      order by name_key, app_id`,
  ),
);

/** Apps that are marked as suspended without their developer, or the other way round. */
export const streamWronglySuspendedApps = stream((db) =>
  raw<BrokenRow>(
    db,
    sql`select apps.id from apps join developers on developers.user_id = apps.developer_id
      where (apps.suspended_status is null) <> (developers.suspended_at is null) order by apps.id`,
  ),
);

/** The same for tokens. */
export const streamWronglySuspendedTokens = stream((db) =>
  raw<BrokenRow>(
    db,
    sql`select access_tokens.id from access_tokens join developers on developers.user_id = access_tokens.developer_id
      where (access_tokens.suspended = 0) <> (developers.suspended_at is null) order by access_tokens.id`,
  ),
);

/** Installations of suspended apps that the suspension has not disabled, and those of others that it has. */
export const streamWronglySuspendedInstallations = stream((db) => {
  const isDisabled = sql`(installations.enabled = 0 and coalesce(disabled_by, '') like '%suspension%')`;
  return raw<BrokenRow>(
    db,
    sql`select installations.id from installations join apps on apps.id = installations.app_id
      where (apps.suspended_status is null) = ${isDisabled} order by installations.id`,
  );
});

/** For each foreign key: the rows whose target does not exist. */
export const danglingReferences = (
  [
    { table: 'logos', column: 'developer_id', to: 'developers' },
    { table: 'apps', column: 'developer_id', to: 'developers' },
    { table: 'installations', column: 'app_id', to: 'apps' },
    { table: 'access_tokens', column: 'developer_id', to: 'developers' },
    { table: 'deleted_apps', column: 'developer_id', to: 'developers' },
    { table: 'revoked_installations', column: 'id', to: 'installations' },
    { table: 'revoked_installations', column: 'app_id', to: 'apps' },
    { table: 'idempotency_keys', column: 'token_id', to: 'access_tokens' },
    { table: 'sessions', column: 'token_id', to: 'access_tokens' },
  ] as const
).map(({ table, column, to }) => ({
  table,
  column,
  stream: stream((db) => {
    const [reference, key] = [sql.ref(`one.${column}`), sql.ref(`other.${columns[to][0]}`)];
    const id = sql.ref(`one.${columns[table][0]}`);
    return raw<BrokenRow>(
      db,
      sql`select ${id} as id from ${sql.table(table)} as one left join ${sql.table(to)} as other on ${key} = ${reference}
        where ${reference} is not null and ${key} is null order by ${id}`,
    );
  }),
}));

interface SinceArchive {
  /** The latest time of an archived event: the events of older objects may be in a file. */
  archivedUntil: number;
}

/** For each kind of object: those without an event that explains their existence. */
export const eventlessObjects = (
  [
    { table: 'developers', type: 'developer.created' },
    { table: 'logos', type: 'logo.created' },
    { table: 'apps', type: 'app.created' },
    { table: 'installations', type: 'installation.created' },
    { table: 'access_tokens', type: 'token.issued' },
    { table: 'deleted_apps', type: 'app.deleted' },
  ] as const
).map(({ table, type }) => ({
  table,
  type,
  stream: stream((db, { archivedUntil }: SinceArchive) =>
    raw<BrokenRow>(
      db,
      sql`select ${sql.ref(columns[table][0])} as id from ${sql.table(table)}
        where ${sql.ref(table === 'deleted_apps' ? 'deleted_at' : 'created_at')} > ${archivedUntil}
        except select subject_id from events where type = ${type} order by id`,
    ),
  ),
}));

function raw<Row>(db: QueryBuilder, query: RawBuilder<unknown>) {
  return { compile: () => query.$castTo<Row>().compile(db) };
}
