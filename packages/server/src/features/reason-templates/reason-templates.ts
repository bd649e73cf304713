import Type from 'typebox';
import { Failure } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { isTypeId, newId, ReasonTemplateId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter } from '../../kernel/page.ts';
import { entityTag, type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag, nullable, optional } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { ReasonTemplateRow } from '../../storage/tables.ts';
import { Code, Message } from '../apps/review/decision.ts';
import { appendEvent } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import {
  deleteReasonTemplateRow,
  findReasonTemplate,
  findReasonTemplateForUpdate,
  insertReasonTemplate,
  listReasonTemplatePage,
  updateReasonTemplateRow,
} from './reason-template-queries.ts';

const path = '/operator/v1/reason-templates';

const Title = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'single-line',
  description: 'The title that reviewers select it by.',
  examples: ['Callback does not respond'],
});

const NewReasonTemplate = Type.Object(
  { title: Title, message: Message, code: Type.Optional(Code) },
  { $id: 'NewReasonTemplate', additionalProperties: false },
);

const ReasonTemplateUpdate = Type.Object(
  { title: Type.Optional(Title), message: Type.Optional(Message), code: Type.Optional(nullable(Code)) },
  { $id: 'ReasonTemplateUpdate', additionalProperties: false },
);

const ReasonTemplate = Type.Object(
  { id: ReasonTemplateId, ...NewReasonTemplate.properties, createdAt: DateTime, updatedAt: DateTime, etag: EntityTag },
  { $id: 'ReasonTemplate', description: 'A reusable text for the reason of a decision.' },
);

export const listReasonTemplates = operation({
  id: 'listReasonTemplates',
  method: 'GET',
  path,
  summary: 'List reason templates by title',
  scope: 'read',
  query: Type.Object({ ...sortParameter(['title'], 'title'), ...pageParameters }, { additionalProperties: false }),
  response: pageOf(ReasonTemplate, 'ReasonTemplate'),
  command: {
    name: 'reason-template list',
    description: 'List the reason templates by title.',
    columns: ['id', 'title', 'code', 'message'],
    examples: ['app-registry reason-template list --limit 100'],
  },
  async run({ registry, query }) {
    const sorting = sortingOf(query, { title: ['title', 'id'] }, 'title');
    return readPage(query, {
      name: 'reason-templates',
      byDefault: 'title',
      read: (request) => listReasonTemplatePage(registry.storage.reader, { ...request, sorting }),
      view: reasonTemplateView,
    });
  },
});

const getReasonTemplate = operation({
  id: 'getReasonTemplate',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a reason template',
  scope: 'read',
  response: ReasonTemplate,
  refusals: ['reason_template_not_found'],
  command: {
    name: 'reason-template get',
    description: 'Print a reason template.',
    arguments: { id: 'the id that "reason-template list" shows' },
    examples: ['app-registry reason-template get template_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, params: { id } }) {
    return reasonTemplateView(
      requireFound(id, isTypeId(id, 'template') && (await findReasonTemplate(registry.storage.reader, { id }))),
    );
  },
});

export const createReasonTemplate = operation({
  id: 'createReasonTemplate',
  method: 'POST',
  path,
  summary: 'Create a reason template',
  scope: 'review',
  body: NewReasonTemplate,
  creates: true,
  response: ReasonTemplate,
  command: {
    name: 'reason-template create',
    description: 'Create a reason template: a reusable text for the reason of a decision.',
    options: {
      title: '<text> the title that reviewers select it by',
      message: '<text> the message for the developer',
      code: '<code> the reason code',
    },
    examples: [
      'app-registry reason-template create --title "Callback is silent" --message "The callback URL does not respond." --code broken_address',
    ],
  },
  async run({ registry, caller, body: { title, message, code = null } }) {
    return write(registry, caller, async (transaction) => {
      const at = registry.now();
      const row = { id: newId('template'), title, message, code, created_at: at, updated_at: at };
      await insertReasonTemplate(transaction, row);
      const event = { type: 'reason_template.created', subjectId: row.id, after: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at, ...event });
      return reasonTemplateView(row);
    });
  },
});

export const updateReasonTemplate = operation({
  id: 'updateReasonTemplate',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update a reason template',
  description: 'Updates the fields in the body; null removes the code.',
  scope: 'review',
  body: ReasonTemplateUpdate,
  ifMatch: true,
  response: ReasonTemplate,
  refusals: ['reason_template_not_found'],
  command: {
    name: 'reason-template update',
    description: 'Update the given fields of a reason template.',
    arguments: { id: 'the id that "reason-template list" shows' },
    options: {
      title: '<text> the title that reviewers select it by',
      message: '<text> the message for the developer',
      code: '<code> the reason code',
    },
    examples: ['app-registry reason-template update template_01jq3w6p4me8xv1c3y9r5q2f7g --title "Callback is refused"'],
  },
  async run({ registry, caller, params: { id }, body, ...call }) {
    return write(registry, caller, async (transaction) => {
      const row = await lockReasonTemplate(transaction, id, call);
      const { title = row.title, message = row.message, code = row.code } = body;
      if (title === row.title && message === row.message && code === row.code) return reasonTemplateView(row);
      const at = registry.now();
      const changed = { ...row, title, message, code, updated_at: Math.max(at, row.updated_at) };
      await updateReasonTemplateRow(transaction, changed);
      const [before, after] = [inEvent(row), inEvent(changed)];
      await appendEvent(transaction, { caller, at, type: 'reason_template.updated', subjectId: id, before, after });
      return reasonTemplateView(changed);
    });
  },
});

export const deleteReasonTemplate = operation({
  id: 'deleteReasonTemplate',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete a reason template',
  scope: 'review',
  ifMatch: true,
  response: ReasonTemplate,
  refusals: ['reason_template_not_found'],
  command: {
    name: 'reason-template delete',
    description: 'Delete a reason template. Prints the deleted template.',
    arguments: { id: 'the id that "reason-template list" shows' },
    examples: ['app-registry reason-template delete template_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    return write(registry, caller, async (transaction) => {
      const row = await lockReasonTemplate(transaction, id, call);
      await deleteReasonTemplateRow(transaction, { id });
      const event = { type: 'reason_template.deleted', subjectId: id, before: inEvent(row) } as const;
      await appendEvent(transaction, { caller, at: registry.now(), ...event });
      return reasonTemplateView(row);
    });
  },
});

export const reasonTemplateOperations = byId(
  listReasonTemplates,
  getReasonTemplate,
  createReasonTemplate,
  updateReasonTemplate,
  deleteReasonTemplate,
);

/** Reads a template and locks it until the transaction ends. Refuses with `reason_template_not_found`. */
async function lockReasonTemplate(
  transaction: Connection,
  id: string,
  condition: RevisionCondition,
): Promise<ReasonTemplateRow> {
  const found = isTypeId(id, 'template') && (await findReasonTemplateForUpdate(transaction, { id }));
  const row = requireFound(id, found);
  requireUnchanged('reason template', entityTag(row), condition);
  return row;
}

function requireFound(id: string, row: ReasonTemplateRow | null | false): ReasonTemplateRow {
  if (row) return row;
  throw new Failure('reason_template_not_found', `No reason template has the id ${id}. Check the id.`);
}

function reasonTemplateView(row: ReasonTemplateRow): Type.Static<typeof ReasonTemplate> {
  const { id, created_at: createdAt, updated_at: updatedAt } = row;
  const times = { createdAt: dateTime(createdAt), updatedAt: dateTime(updatedAt) };
  return { id, ...inEvent(row), ...times, etag: entityTag(row) };
}

function inEvent({ title, message, code }: ReasonTemplateRow): EventData['reason_template.created']['after'] {
  return { title, message, ...optional({ code }) };
}
