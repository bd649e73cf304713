import { type Connection, change, find, list, type Reader } from '../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest } from '../../storage/row-pages.ts';
import { columns, type ProtectedNameRow } from '../../storage/tables.ts';

export const findProtectedNameForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('id', '=', id).forUpdate(),
);

export const findProtectedNameByKey = find((db, { kind, key }: Pick<ProtectedNameRow, 'kind' | 'key'>) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('kind', '=', kind).where('key', '=', key),
);

export const deleteProtectedNameRow = change((db, { id }: { id: string }) =>
  db.deleteFrom('protected_names').where('id', '=', id),
);

export const updateProtectedKey = change((db, { id, key }: Pick<ProtectedNameRow, 'id' | 'key'>) =>
  db.updateTable('protected_names').set({ key }).where('id', '=', id),
);

/** Inside a write: all of them, locked. */
export const listProtectedNamesForUpdate = list((db) =>
  db.selectFrom('protected_names').select(columns.protected_names).orderBy('id').forUpdate(),
);

/** A page of them, by id. */
export function listProtectedNamePage(
  connection: Connection,
  request: PageRequest,
): Promise<PageOfRows<ProtectedNameRow>> {
  const query = connection.builder.selectFrom('protected_names').select(columns.protected_names);
  return listPage(connection, { query, order: ['id'] }, request);
}

/** Far below the number of values that either engine allows in a statement. */
const keysMax = 5_000;

/** Those with one of these keys. */
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
