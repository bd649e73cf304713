import type { ReasonTemplate } from '../../../contract/review/reason-template.ts';
import { deleteReasonTemplate as deleteRow } from '../../../storage/queries/review/reason-templates.ts';
import { appendEvent } from '../../events/append-event.ts';
import type { Caller, Registry } from '../../registry.ts';
import { lockReasonTemplate } from './lock-reason-template.ts';
import { reasonTemplateData, reasonTemplateView } from './reason-template-view.ts';

/** Deletes a template of reasons, and returns it. Refuses with `reason_template_not_found`. */
export async function deleteReasonTemplate(registry: Registry, caller: Caller, id: string): Promise<ReasonTemplate> {
  const row = await registry.storage.write(async (transaction) => {
    const found = await lockReasonTemplate(transaction, id);
    await deleteRow(transaction, { id });
    const event = { type: 'reason_template.deleted', subjectId: id, before: reasonTemplateData(found) } as const;
    await appendEvent(transaction, { caller, at: registry.now(), ...event });
    return found;
  });
  return reasonTemplateView(row);
}
