import { pageOf } from '../page.ts';
import {
  NewReasonTemplate,
  ReasonTemplate,
  ReasonTemplateQuery,
  ReasonTemplateUpdate,
} from '../review/reason-template.ts';
import type { OperatorOperation } from './operation.ts';

const templates = '/operator/v1/reason-templates';

/** Texts that reviewers begin a reason with. */
export const reasonTemplateOperations = {
  listReasonTemplates: {
    method: 'GET',
    path: templates,
    summary: 'List reason templates by title',
    scope: 'read',
    query: ReasonTemplateQuery,
    response: pageOf(ReasonTemplate, 'ReasonTemplate'),
  },
  createReasonTemplate: {
    method: 'POST',
    path: templates,
    summary: 'Create a reason template',
    scope: 'review',
    body: NewReasonTemplate,
    creates: true,
    response: ReasonTemplate,
  },
  updateReasonTemplate: {
    method: 'PATCH',
    path: `${templates}/:id`,
    summary: 'Update a reason template',
    description: 'Updates the fields in the body; null removes the code.',
    scope: 'review',
    body: ReasonTemplateUpdate,
    response: ReasonTemplate,
    refusals: ['reason_template_not_found'],
  },
  deleteReasonTemplate: {
    method: 'DELETE',
    path: `${templates}/:id`,
    summary: 'Delete a reason template',
    scope: 'review',
    response: ReasonTemplate,
    refusals: ['reason_template_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
