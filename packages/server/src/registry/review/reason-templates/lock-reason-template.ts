import { findReasonTemplateForUpdate } from '../../../storage/queries/review/reason-templates.ts';
import type { Connection } from '../../../storage/query.ts';
import type { ReasonTemplateRow } from '../../../storage/tables.ts';
import { Failure } from '../../failure.ts';
import { isTypeId } from '../../type-id.ts';

/** Reads a template and locks it until the transaction ends. Refuses with `reason_template_not_found`. */
export async function lockReasonTemplate(transaction: Connection, id: string): Promise<ReasonTemplateRow> {
  const row = isTypeId(id, 'template') ? await findReasonTemplateForUpdate(transaction, { id }) : null;
  if (row) return row;
  throw new Failure('reason_template_not_found', `No reason template has the id ${id}. Check the id.`);
}
