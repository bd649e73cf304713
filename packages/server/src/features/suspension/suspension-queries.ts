import { type RawBuilder, sql } from 'kysely';
import { type Connection, list } from '../../storage/query.ts';

/** The apps of a developer that were deleted since a time and can be restored. */
export const listDeletedSince = list((db, { developerId, since }: { developerId: string; since: number }) =>
  db
    .selectFrom('deleted_apps')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('deleted_at', '>=', since)
    .orderBy('id'),
);

/** Inside a write: marks the tokens of a developer, or removes the marks. Returns the number of valid ones that changed. */
export async function updateTokensSuspended(
  connection: Connection,
  { developerId, suspended, now }: { developerId: string; suspended: 0 | 1; now: number },
): Promise<number> {
  const { builder } = connection;
  const query = builder
    .selectFrom('access_tokens')
    .select(['id', 'expires_at', 'revoked_at'])
    .where('developer_id', '=', developerId)
    .where('suspended', '<>', suspended)
    .orderBy('id')
    .forUpdate();
  const tokens = await connection.rows(query.compile());
  if (tokens.length === 0) return 0;
  const update = builder.updateTable('access_tokens').set({ suspended }).where('developer_id', '=', developerId);
  await connection.run(update.where('suspended', '<>', suspended).compile());
  return tokens.filter(({ expires_at: expiresAt, revoked_at: revokedAt }) => revokedAt === null && expiresAt > now)
    .length;
}

/** The scope of an operation: an app, everything of a developer, an installation, a workspace, or a token. */
export type AffectedScope =
  | { appId: string }
  | { developerId: string; now: number }
  | { installationId: string }
  | { workspaceId: string }
  | { tokenId: string };

export interface AffectedIds {
  count: number;
  /** The first ones, in order. */
  ids: string[];
}

/**
 * The number of different ids that a query has as `id`, and the first of them. Materialised, so that no engine searches a
 * whole table in the order of its ids.
 */
export async function countAffected(
  connection: Connection,
  { rows, limit }: { rows: RawBuilder<unknown>; limit: number },
): Promise<AffectedIds> {
  const count = sql<{
    count: number;
  }>`with affected as materialized (${rows}) select count(distinct id) as count from affected`;
  const ids = sql<{ id: string }>`with affected as materialized (${rows})
    select distinct id from affected order by id limit ${limit}`;
  const [counted] = await connection.rows(count.compile(connection.builder));
  const listed = await connection.rows(ids.compile(connection.builder));
  return { count: counted?.count ?? 0, ids: listed.map(({ id }) => id) };
}

const nothing = sql`select null as id where 1 = 0`;

/** The queries for what a scope contains. */
export function affectedRows(
  scope: AffectedScope,
): Record<'apps' | 'installations' | 'workspaces' | 'tokens', RawBuilder<unknown>> {
  if ('tokenId' in scope) {
    const apps = sql`select apps.id from access_tokens join apps on apps.developer_id = access_tokens.developer_id
      where access_tokens.id = ${scope.tokenId}`;
    const tokens = sql`select id from access_tokens where id = ${scope.tokenId}`;
    return { apps, installations: nothing, workspaces: nothing, tokens };
  }
  const installed = installationsIn(scope);
  return {
    apps: appsIn(scope),
    installations: sql`select installations.id ${installed}`,
    workspaces: sql`select installations.workspace_id as id ${installed}`,
    tokens: 'developerId' in scope ? tokensOf(scope) : nothing,
  };
}

function appsIn(scope: Exclude<AffectedScope, { tokenId: string }>): RawBuilder<unknown> {
  if ('appId' in scope) return sql`select id from apps where id = ${scope.appId}`;
  if ('developerId' in scope) return sql`select id from apps where developer_id = ${scope.developerId}`;
  return sql`select app_id as id ${installationsIn(scope)}`;
}

function installationsIn(scope: Exclude<AffectedScope, { tokenId: string }>): RawBuilder<unknown> {
  if ('appId' in scope) return sql`from installations where app_id = ${scope.appId}`;
  if ('installationId' in scope) return sql`from installations where id = ${scope.installationId}`;
  if ('workspaceId' in scope) return sql`from installations where workspace_id = ${scope.workspaceId}`;
  return sql`from apps join installations on installations.app_id = apps.id where developer_id = ${scope.developerId}`;
}

/** Tokens that are refused already do not count. */
function tokensOf({ developerId, now }: { developerId: string; now: number }): RawBuilder<unknown> {
  return sql`select id from access_tokens where developer_id = ${developerId} and revoked_at is null and expires_at > ${now}`;
}
