import { type RawBuilder, sql } from 'kysely';
import {
  type Connection,
  defineChange,
  defineFind,
  defineInsert,
  defineList,
  defineStream,
} from '../../storage/query.ts';
import { keysInRanges, listPage, type PageOfRows, type PageRequest, type Sorting } from '../../storage/row-pages.ts';
import { columns, type DeletedAppRow } from '../../storage/tables.ts';

export const findDeletedApp = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', '=', id),
);

/** Inside a write: the deleted app, locked until the write ends. */
export const findDeletedAppForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', '=', id).forUpdate(),
);

/** The same for several: the deleted apps among these ids. */
export async function listDeletedAppsForUpdate(connection: Connection, ids: string[]): Promise<DeletedAppRow[]> {
  const apps = connection.builder
    .selectFrom('deleted_apps')
    .select(columns.deleted_apps)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate();
  return connection.rows(apps.compile());
}

export const insertDeletedApp = defineInsert('deleted_apps');

export const updateDeletedApp = defineChange((db, { id, row, deleted_at }: DeletedAppRow) =>
  db.updateTable('deleted_apps').set({ row, deleted_at }).where('id', '=', id),
);

export const removeDeletedApp = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('deleted_apps').where('id', '=', id),
);

/** The first apps deleted at or before a time. */
export const listDeletedUntil = defineList((db, { time, limit }: { time: number; limit: number }) =>
  db
    .selectFrom('deleted_apps')
    .select('id')
    .where('deleted_at', '<=', time)
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate(),
);

export interface DeletedAppFilter {
  /** Only apps deleted after this time. */
  after: number;
  developerId?: string | undefined;
}

export type DeletedAppSorting = Sorting<'id' | 'deleted_at'>;

/** A page of the deleted apps that match every filter. Throws `ForeignPosition`. */
export function listDeletedAppPage(
  connection: Connection,
  filter: DeletedAppFilter,
  { sorting, ...request }: PageRequest & { sorting: DeletedAppSorting },
): Promise<PageOfRows<DeletedAppRow>> {
  const ids = deletedAppIds(filter, sorting, request);
  const query = connection.builder.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', 'in', ids);
  return listPage(connection, { query, ...sorting }, request);
}

/** Selects the ids of deleted apps that match every filter, up to a limit. */
export function someDeletedAppIds(
  filter: DeletedAppFilter,
  sorting: DeletedAppSorting,
  limit: number,
): RawBuilder<string> {
  return deletedAppIds(filter, sorting, { limit: limit - 1 });
}

function deletedAppIds({ after, developerId }: DeletedAppFilter, sorting: DeletedAppSorting, request: PageRequest) {
  return keysInRanges(
    {
      table: 'deleted_apps',
      leading: developerId === undefined ? [] : ['developer_id'],
      ranges: [developerId === undefined ? [] : [developerId]],
      ...sorting,
      // Few rows are excluded: apps are purged within an hour of falling due.
      also: sql<boolean>`deleted_at > ${after}`,
    },
    request,
  );
}

export const streamDeletedApps = defineStream((db) =>
  db.selectFrom('deleted_apps').select(columns.deleted_apps).orderBy('id'),
);
