import { type Connection, defineChange, defineFind, defineInsert } from '../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest, type Sorting } from '../../storage/row-pages.ts';
import { columns, type ReasonTemplateRow } from '../../storage/tables.ts';

export const findReasonTemplate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('reason_templates').select(columns.reason_templates).where('id', '=', id),
);

/** Inside a write: the template, locked until the write ends. */
export const findReasonTemplateForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('reason_templates').select(columns.reason_templates).where('id', '=', id).forUpdate(),
);

export const insertReasonTemplate = defineInsert('reason_templates');

export const updateReasonTemplateRow = defineChange((db, { id, title, message, code, updated_at }: ReasonTemplateRow) =>
  db.updateTable('reason_templates').set({ title, message, code, updated_at }).where('id', '=', id),
);

export const deleteReasonTemplateRow = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('reason_templates').where('id', '=', id),
);

/** A page of them. Throws `ForeignPosition`. */
export function listReasonTemplatePage(
  connection: Connection,
  { sorting, ...request }: PageRequest & { sorting: Sorting<'title' | 'id'> },
): Promise<PageOfRows<ReasonTemplateRow>> {
  const query = connection.builder.selectFrom('reason_templates').select(columns.reason_templates);
  return listPage(connection, { query, ...sorting }, request);
}
