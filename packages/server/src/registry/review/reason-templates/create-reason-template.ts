import { NewReasonTemplate, type ReasonTemplate } from '../../../contract/review/reason-template.ts';
import { insertReasonTemplate } from '../../../storage/queries/review/reason-templates.ts';
import { appendEvent } from '../../events/append-event.ts';
import { requireValid } from '../../failure.ts';
import { writeIdempotently } from '../../idempotency.ts';
import type { Caller, Registry } from '../../registry.ts';
import { newId } from '../../type-id.ts';
import { reasonTemplateData, reasonTemplateView } from './reason-template-view.ts';

/** Creates a text that reviewers begin a reason with. Refuses with `invalid_content`. */
export async function createReasonTemplate(
  registry: Registry,
  caller: Caller,
  input: unknown,
): Promise<ReasonTemplate> {
  const given = requireValid(NewReasonTemplate, input);
  return writeIdempotently(registry, caller, {
    content: ['createReasonTemplate', given],
    work: async (transaction) => {
      const at = registry.now();
      const { title, message, code = null } = given;
      const row = { id: newId('template'), title, message, code, created_at: at, updated_at: at };
      await insertReasonTemplate(transaction, row);
      const event = { type: 'reason_template.created', subjectId: row.id, after: reasonTemplateData(row) } as const;
      await appendEvent(transaction, { caller, at, ...event });
      return reasonTemplateView(row);
    },
  });
}
