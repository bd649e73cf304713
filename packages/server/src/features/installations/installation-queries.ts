import { type RawBuilder, sql } from 'kysely';
import {
  type Connection,
  defineChange,
  defineFind,
  defineInsert,
  defineList,
  defineStream,
  type QueryBuilder,
  type Reader,
} from '../../storage/query.ts';
import {
  type IndexRanges,
  keysInRanges,
  listPage,
  type PageOfRows,
  type PageRequest,
  type Sorting,
} from '../../storage/row-pages.ts';
import { columns, type InstallationRow } from '../../storage/tables.ts';

export const findInstallation = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('installations').select(columns.installations).where('id', '=', id),
);

/** All installations by id. */
export const streamInstallations = defineStream((db) =>
  db.selectFrom('installations').select(columns.installations).orderBy('id'),
);

export const findInstallationInWorkspace = defineFind(
  (db, { appId, workspaceId }: { appId: string; workspaceId: string }) =>
    db
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', '=', appId)
      .where('workspace_id', '=', workspaceId),
);

/** What the platform view shows. One index has all of these columns. */
export type ShownInstallation = Pick<
  InstallationRow,
  'id' | 'app_id' | 'workspace_id' | 'user_id' | 'enabled' | 'created_at'
>;

/** About 64 KiB of JSON. Longer texts outlive the collection of short-lived memory. */
const installationsPerText = 250;

/**
 * All installations of an app by creation, as texts of their JSON objects, separated by commas. The database makes
 * them: to make them of rows takes half as much time again. It makes the next one while the reader uses this one.
 */
export async function* streamInstallationTexts(
  reader: Reader,
  { appId }: { appId: string },
): AsyncGenerator<string, undefined> {
  let next = textAfter(reader, { appId, id: '', createdAt: Number.MIN_SAFE_INTEGER });
  try {
    for (;;) {
      const text = await next;
      if (text === null) return;
      next = textAfter(reader, { appId, ...lastOf(text) });
      yield text;
    }
  } finally {
    // A reader that stops early must not end the snapshot of a query that is under way.
    await next.catch(() => {});
  }
}

/** Null after the last one. */
function textAfter(reader: Reader, after: { appId: string; id: string; createdAt: number }): Promise<string | null> {
  const text = findText(reader, after).then((row) => row?.text ?? null);
  // Awaited only once the reader wants it.
  text.catch(() => {});
  return text;
}

const findText = defineFind((db, { appId, createdAt, id }: { appId: string; createdAt: number; id: string }) =>
  db
    .selectFrom(
      db
        .selectFrom('installations')
        .select(installationText(db).as('text'))
        .where('app_id', '=', appId)
        .where(sql<boolean>`(created_at, id) > (${createdAt}, ${id})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(installationsPerText)
        .as('installations_after'),
    )
    .select(sql<string | null>`string_agg(text, ',')`.as('text')),
);

/** The JSON of `Installation` in the contract. No id contains a character that JSON escapes. */
function installationText(db: QueryBuilder): RawBuilder<string> {
  return sql<string>`concat(
    '{"id":"', id, '","appId":"', app_id, '","workspaceId":"', workspace_id, '","userId":"', user_id,
    '","createdAt":"', ${db.fn<string>('date_time', ['created_at'])}, '","enabled":', case enabled when 1 then 'true' else 'false' end, '}')`;
}

function lastOf(text: string): { id: string; createdAt: number } {
  const { id, createdAt } = JSON.parse(text.slice(text.lastIndexOf('{')));
  return { id, createdAt: Date.parse(createdAt) };
}

export const insertInstallation = defineInsert('installations');

export const deleteInstallation = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('installations').where('id', '=', id),
);

/** Installations with one of these ids, or of one of these apps in the same workspace. */
export async function listInstallationsLike(
  connection: Connection,
  wanted: readonly Pick<InstallationRow, 'id' | 'app_id' | 'workspace_id'>[],
): Promise<InstallationRow[]> {
  const chosen = sql.join(columns.installations.map((name) => sql.ref(`installations.${name}`)));
  const pairs = sql.join(wanted.map(({ app_id, workspace_id }) => sql`(${app_id}, ${workspace_id})`));
  const ids = sql.join(wanted.map(({ id }) => id));
  const query = sql<InstallationRow>`
    with wanted (app_id, workspace_id) as (values ${pairs})
    select ${chosen} from wanted join installations
      on installations.app_id = wanted.app_id and installations.workspace_id = wanted.workspace_id
    union select ${chosen} from installations where id in (${ids})`;
  return connection.rows(query.compile(connection.builder));
}

/** Updates all mutable columns of an installation. */
export const replaceInstallation = defineChange(
  (db, { id, user_id, enabled, disabled_by, created_at }: InstallationRow) =>
    db.updateTable('installations').set({ user_id, enabled, disabled_by, created_at }).where('id', '=', id),
);

export interface InstallationFilter extends Partial<Pick<InstallationRow, 'app_id' | 'workspace_id' | 'user_id'>> {
  /** At most a page of ids; excludes other filters. */
  ids?: string[];
}

export type InstallationSorting = Sorting<'id' | 'app_id' | 'created_at'>;
export type InstallationPageRequest = PageRequest & { sorting: InstallationSorting };

/**
 * A page of the installations that match a filter, each of which has its order: of an app by creation, in a workspace by app,
 * by a user by app and id, and all of them by id. Of a user in a workspace, which has an app only once, it reads all that the workspace has. Throws
 * `ForeignPosition`.
 */
export function listInstallationPage(
  connection: Connection,
  filter: InstallationFilter,
  { sorting, ...request }: InstallationPageRequest,
): Promise<PageOfRows<InstallationRow>> {
  const { app_id: app, workspace_id: workspace, user_id: user, ids: given } = filter;
  const all = connection.builder.selectFrom('installations').select(columns.installations);
  if (workspace === undefined && user === undefined) {
    const some = given ? all.where('id', 'in', given) : all;
    const query = app === undefined ? some : some.where('app_id', '=', app);
    return listPage(connection, { query, ...sorting }, request);
  }
  const ids =
    app !== undefined && workspace !== undefined
      ? idInWorkspace(app, workspace)
      : keysInRanges({ table: 'installations', ...rangeOf(filter), ...sorting }, request);
  const query = all.where('id', 'in', ids);
  const wanted = workspace === undefined || user === undefined ? query : query.where(isBy(user));
  return listPage(connection, { query: wanted, ...sorting }, request);
}

/** Selects the ids of installations that match the filter, up to a limit. */
export function someInstallationIds(
  { ids, ...filter }: InstallationFilter,
  { from, until }: InstallationSorting,
  limit: number,
): RawBuilder<string> {
  const conditions = [
    ...Object.entries(filter).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    ...(ids === undefined ? [] : [sql`id in (${sql.join(ids)})`]),
    // Only the order by creation has bounds.
    ...(from === undefined ? [] : [sql`(created_at, id) > (${sql.join(from)})`]),
    ...(until === undefined ? [] : [sql`(created_at, id) < (${sql.join(until)})`]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`select id from installations ${where} limit ${limit}`;
}

/** The range of the index of the workspace, or else of the user. */
function rangeOf(filter: InstallationFilter): Pick<IndexRanges, 'leading' | 'ranges' | 'also'> {
  const { app_id: app, workspace_id: workspace, user_id: user = '' } = filter;
  if (workspace !== undefined) {
    const also = filter.user_id === undefined ? {} : { also: isBy(user) };
    return { leading: ['workspace_id'], ranges: [[workspace]], ...also };
  }
  if (app !== undefined) return { leading: ['user_id', 'app_id'], ranges: [[user, app]] };
  return { leading: ['user_id'], ranges: [[user]] };
}

/** As an expression, so that no engine searches by it: a user may have far more installations than a workspace. */
function isBy(user: string): RawBuilder<boolean> {
  return sql<boolean>`(user_id || '') = ${user}`;
}

/** The id of an app's only installation in a workspace. Compares as `keysInRanges` does, for the same reason. */
function idInWorkspace(appId: string, workspaceId: string): RawBuilder<string> {
  return sql`(
    select id from installations
    where (workspace_id, app_id) >= (${workspaceId}, ${appId}) and (workspace_id, app_id) <= (${workspaceId}, ${appId})
    order by workspace_id, app_id limit 1)`;
}

/** The next apps installed in a workspace. */
export const listAppsInWorkspace = defineList(
  (db, { workspaceId, appId, limit }: { workspaceId: string; appId: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select('app_id')
      .where('workspace_id', '=', workspaceId)
      .where('app_id', '>', appId)
      .orderBy('app_id')
      .limit(limit),
);

/** Deletes the installations of these apps in a workspace. */
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

/** Deletes some of the installations of an app, oldest first. */
export const deleteSomeInstallationsOfApp = defineList((db, { appId, limit }: { appId: string; limit: number }) =>
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

/** The next installations of an app, by creation. */
export const listInstallationsByCreation = defineList(
  (db, { appId, createdAt, id, limit }: { appId: string; createdAt: number; id: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', '=', appId)
      .where(sql<boolean>`(created_at, id) > (${createdAt}, ${id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
);

/** All installations of these apps. */
export async function listInstallationsOfApps(connection: Connection, appIds: string[]): Promise<InstallationRow[]> {
  return connection.rows(
    connection.builder
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', 'in', appIds)
      .orderBy('app_id')
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  );
}

/** The next installations of an app that the revocation of its approval has disabled. */
export const listRevokedInstallations = defineList(
  (db, { appId, id, limit }: { appId: string; id: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', '=', appId)
      .where('id', '>', id)
      .where('disabled_by', 'is not', null)
      .where('disabled_by', 'like', sql.lit('%revocation%'))
      .orderBy('id')
      .limit(limit),
);

/** Stores the same causes for all of these installations. */
export async function updateInstallationCauses(
  connection: Connection,
  { ids, ...columns }: { ids: string[] } & Pick<InstallationRow, 'enabled' | 'disabled_by' | 'updated_at'>,
): Promise<void> {
  const update = connection.builder.updateTable('installations').set(columns).where('id', 'in', ids);
  await connection.run(update.compile());
}

interface WorkspaceOfApp {
  app_id: string;
  installation_count: number;
  /** Both null if the app is not installed. */
  installation_id: string | null;
  workspace_id: string | null;
}

/** The existing ones of these apps, each with the workspaces of its first installations, up to a limit. */
export async function listWorkspacesOfApps(
  connection: Connection,
  { appIds, limit }: { appIds: string[]; limit: number },
): Promise<WorkspaceOfApp[]> {
  const ofEach = appIds.map((appId) => ofApp(appId, limit));
  const query = sql<WorkspaceOfApp>`${sql.join(ofEach, sql` union all `)} order by app_id, installation_id`;
  return connection.rows(query.compile(connection.builder));
}

function ofApp(appId: string, limit: number) {
  const first = sql`select id as installation_id, workspace_id from installations
    where app_id = ${appId} order by created_at, id limit ${limit}`;
  return sql`select apps.id as app_id, installation_count, installation_id, workspace_id
    from apps left join (${first}) as first on true where apps.id = ${appId}`;
}
