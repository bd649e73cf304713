import { type RawBuilder, sql } from 'kysely';
import { listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, change, find, insert, list, type Reader } from '../query.ts';
import { columns, type InstallationRow } from '../tables.ts';
import { keysInRanges } from './index-ranges.ts';

export const findInstallation = find((db, { id }: { id: string }) =>
  db.selectFrom('installations').select(columns.installations).where('id', '=', id),
);

export const findInstallationInWorkspace = find((db, { appId, workspaceId }: { appId: string; workspaceId: string }) =>
  db
    .selectFrom('installations')
    .select(columns.installations)
    .where('app_id', '=', appId)
    .where('workspace_id', '=', workspaceId),
);

/** About 64 KiB of JSON. */
const streamedRows = 250;

/** All of an app, in the order of creation, some at a time. */
export async function* streamInstallations(
  reader: Reader,
  { appId }: { appId: string },
): AsyncGenerator<InstallationRow[], undefined> {
  let last = { created_at: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const rows = await listInstallationsAfter(reader, { appId, createdAt: last.created_at, id: last.id });
    if (rows.length > 0) yield rows;
    if (rows.length < streamedRows) return;
    last = rows.at(-1) as InstallationRow;
  }
}

/** Page by page they take less time than row by row. */
const listInstallationsAfter = list((db, values: { appId: string; createdAt: number; id: string }) =>
  db
    .selectFrom('installations')
    .select(columns.installations)
    .where('app_id', '=', values.appId)
    .where(sql<boolean>`(created_at, id) > (${values.createdAt}, ${values.id})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(streamedRows),
);

export const insertInstallation = insert('installations');

export const updateInstallationEnabled = change((db, { id, enabled }: { id: string; enabled: 0 | 1 }) =>
  db.updateTable('installations').set({ enabled }).where('id', '=', id),
);

export const deleteInstallation = change((db, { id }: { id: string }) =>
  db.deleteFrom('installations').where('id', '=', id),
);

/** Those installations that have one of these ids, or are of one of these apps in its workspace. */
export async function listInstallationsLike(
  connection: Connection,
  wanted: readonly Pick<InstallationRow, 'id' | 'app_id' | 'workspace_id'>[],
): Promise<InstallationRow[]> {
  const chosen = sql.join(columns.installations.map((name) => sql.ref(`installations.${name}`)));
  const places = sql.join(wanted.map(({ app_id, workspace_id }) => sql`(${app_id}, ${workspace_id})`));
  const ids = sql.join(wanted.map(({ id }) => id));
  const query = sql<InstallationRow>`
    with wanted (app_id, workspace_id) as (values ${places})
    select ${chosen} from wanted join installations
      on installations.app_id = wanted.app_id and installations.workspace_id = wanted.workspace_id
    union select ${chosen} from installations where id in (${ids})`;
  return connection.rows(query.compile(connection.builder));
}

/** Stores what can change of an installation. */
export const replaceInstallation = change((db, { id, user_id, enabled, created_at }: InstallationRow) =>
  db.updateTable('installations').set({ user_id, enabled, created_at }).where('id', '=', id),
);

export type InstallationFilter = Partial<Pick<InstallationRow, 'app_id' | 'workspace_id' | 'user_id'>>;

/** A page of the installations with these values, in the order of their ids. At least one value is given. */
export function listInstallationPage(
  connection: Connection,
  filter: InstallationFilter,
  request: PageRequest,
): Promise<PageOfRows<InstallationRow>> {
  const { app_id, workspace_id, user_id } = filter;
  let query = connection.builder.selectFrom('installations').select(columns.installations);
  if (app_id === undefined || workspace_id === undefined) {
    const leading = (['app_id', 'workspace_id', 'user_id'] as const).filter((column) => filter[column] !== undefined);
    const values = leading.map((column) => filter[column] as string);
    const ids = keysInRanges({ table: 'installations', leading, ranges: [values], order: ['id'] }, request);
    query = query.where('id', 'in', ids);
  } else {
    query = query.where('id', 'in', idInPlace(app_id, workspace_id));
    if (user_id !== undefined) query = query.where('user_id', '=', user_id);
  }
  return listPage(connection, { query, order: ['id'] }, request);
}

/** Of the one installation at most of an app in a workspace. Compared as in `keysInRanges`, for the same reason. */
function idInPlace(appId: string, workspaceId: string): RawBuilder<string> {
  return sql`(
    select id from installations
    where (app_id, workspace_id) >= (${appId}, ${workspaceId}) and (app_id, workspace_id) <= (${appId}, ${workspaceId})
    order by app_id, workspace_id limit 1)`;
}

/** The next apps that a workspace has installed, after one of them. */
export const listAppsInWorkspace = list(
  (db, { workspaceId, appId, limit }: { workspaceId: string; appId: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select('app_id')
      .where('workspace_id', '=', workspaceId)
      .where('app_id', '>', appId)
      .orderBy('app_id')
      .limit(limit),
);

/** What a workspace has installed of these apps, removed. */
export async function deleteInstallationsInWorkspace(
  connection: Connection,
  { workspaceId, appIds }: { workspaceId: string; appIds: string[] },
): Promise<InstallationRow[]> {
  const removal = connection.builder
    .deleteFrom('installations')
    .where('workspace_id', '=', workspaceId)
    .where('app_id', 'in', appIds)
    .returning(columns.installations);
  return connection.rows(removal.compile());
}

/** Some of the installations of an app, removed: the oldest first. */
export const deleteSomeInstallationsOfApp = list((db, { appId, limit }: { appId: string; limit: number }) =>
  db
    .deleteFrom('installations')
    .where('id', 'in', (some) =>
      some
        .selectFrom('installations')
        .select('id')
        .where('app_id', '=', appId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit),
    )
    .returning(columns.installations),
);
