import { type ReasonTemplate, ReasonTemplateUpdate } from '../../../contract/review/reason-template.ts';
import { updateReasonTemplate as updateRow } from '../../../storage/queries/review/reason-templates.ts';
import { appendEvent } from '../../events/append-event.ts';
import { requireValid } from '../../failure.ts';
import { writeIdempotently } from '../../idempotency.ts';
import type { Caller, Registry } from '../../registry.ts';
import { lockReasonTemplate } from './lock-reason-template.ts';
import { reasonTemplateData, reasonTemplateView } from './reason-template-view.ts';

/**
 * Changes the given fields of a template. Without a change there is no event. Refuses with `invalid_content` or
 * `reason_template_not_found`.
 */
export async function updateReasonTemplate(
  registry: Registry,
  caller: Caller,
  { id, update: input }: { id: string; update: unknown },
): Promise<ReasonTemplate> {
  const given = requireValid(ReasonTemplateUpdate, input);
  return writeIdempotently(registry, caller, {
    content: ['updateReasonTemplate', id, given],
    work: async (transaction) => {
      const row = await lockReasonTemplate(transaction, id);
      const { title = row.title, message = row.message, code = row.code } = given;
      if (title === row.title && message === row.message && code === row.code) return reasonTemplateView(row);
      const at = registry.now();
      const changed = { ...row, title, message, code, updated_at: Math.max(at, row.updated_at) };
      await updateRow(transaction, changed);
      const [before, after] = [reasonTemplateData(row), reasonTemplateData(changed)];
      await appendEvent(transaction, { caller, at, type: 'reason_template.updated', subjectId: id, before, after });
      return reasonTemplateView(changed);
    },
  });
}
