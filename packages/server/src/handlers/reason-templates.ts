import type { reasonTemplateOperations } from '../contract/operations/reason-templates.ts';
import type { Registry } from '../registry/registry.ts';
import { createReasonTemplate } from '../registry/review/reason-templates/create-reason-template.ts';
import { deleteReasonTemplate } from '../registry/review/reason-templates/delete-reason-template.ts';
import { listReasonTemplates } from '../registry/review/reason-templates/list-reason-templates.ts';
import { updateReasonTemplate } from '../registry/review/reason-templates/update-reason-template.ts';
import type { Handlers } from './handler.ts';

/** Texts that reviewers begin a reason with. */
export function reasonTemplateHandlers(registry: Registry): Handlers<typeof reasonTemplateOperations> {
  return {
    listReasonTemplates: ({ query }) => listReasonTemplates(registry, query),
    createReasonTemplate: ({ caller, body }) => createReasonTemplate(registry, caller, body),
    updateReasonTemplate: ({ caller, params: { id }, body: update }) =>
      updateReasonTemplate(registry, caller, { id, update }),
    deleteReasonTemplate: ({ caller, params: { id } }) => deleteReasonTemplate(registry, caller, id),
  };
}
