import { listPage, type PageOfRows, type PageRequest } from '../../storage/page.ts';
import { type Connection, change, find } from '../../storage/query.ts';
import { columns, type ProtectedNameRow } from '../../storage/tables.ts';

export const findProtectedNameForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('protected_names').select(columns.protected_names).where('id', '=', id).forUpdate(),
);

export const deleteProtectedNameRow = change((db, { id }: { id: string }) =>
  db.deleteFrom('protected_names').where('id', '=', id),
);

/** A page of them, by id. */
export function listProtectedNamePage(
  connection: Connection,
  request: PageRequest,
): Promise<PageOfRows<ProtectedNameRow>> {
  const query = connection.builder.selectFrom('protected_names').select(columns.protected_names);
  return listPage(connection, { query, order: ['id'] }, request);
}
