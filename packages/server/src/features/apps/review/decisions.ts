import Type from 'typebox';
import { appNotFound } from '../../../kernel/failure.ts';
import { requireAppId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { pageParameters, readPage, sortingOf, sortParameter, timeParameters } from '../../../kernel/page.ts';
import { type Registry, readsNotes } from '../../../kernel/registry.ts';
import { revisionETag } from '../../../kernel/revision.ts';
import { dateTime, optional } from '../../../kernel/text.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow, DecisionRow, EventRow } from '../../../storage/tables.ts';
import { namesOfActors } from '../../access/actor-names.ts';
import { actorsParameter } from '../../events/event.ts';
import { contentOfSnapshot, snapshotText } from '../app-content.ts';
import { findApp } from '../app-queries.ts';
import { wholeContentView } from '../app-view.ts';
import { type Decision, DecisionPage, type DecisionStep, type DecisionSummary, type Revocation } from './decision.ts';
import { deleteClaim, insertDecision, listDecisionPage } from './review-queries.ts';
import type { ReviewedRevision } from './reviewed-revision.ts';

const DecisionQuery = Type.Object(
  {
    ...sortParameter(['decidedAt'], '-decidedAt'),
    ...timeParameters('`decidedAt`'),
    actors: actorsParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);

export const listAppDecisions = operation({
  id: 'listAppDecisions',
  method: 'GET',
  path: '/operator/v1/apps/:id/decisions',
  summary: 'List the decisions about an app',
  description: 'A token with the scope `portal` never receives a `note`.',
  scope: 'read',
  query: DecisionQuery,
  response: DecisionPage,
  refusals: ['app_not_found'],
  command: {
    name: 'app list-decisions',
    description: 'List the decisions about an app, newest first by default.',
    arguments: { id: 'the app id' },
    options: { actors: 'also list the names of the reviewers' },
    columns: ['decidedAt', 'step', 'actor', 'code', 'message'],
    examples: ['app-registry app list-decisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, scopes, params: { id: appId }, query: { actors, ...query } }) {
    requireAppId(appId);
    const { reader } = registry.storage;
    if (!(await findApp(reader, { id: appId }))) throw appNotFound();
    const sorting = sortingOf(query, { decidedAt: ['decided_at', 'event_id'] }, '-decidedAt');
    let names = new Map<string, string>();
    const page = await readPage(query, {
      name: `decisions ${appId}`,
      byDefault: '-decidedAt',
      read: async (request) => {
        const found = await listDecisionPage(reader, { appId }, { ...request, sorting });
        names = await namesOfActors(
          registry,
          found.rows.map(({ actor }) => actor),
        );
        return found;
      },
      view: (row) => decisionView({ ...registry, names, showsNotes: readsNotes(scopes) }, row),
    });
    return actors ? { ...page, actors: [...names].map(([actor, name]) => ({ actor, name })) } : page;
  },
});

/** The details of a step, of which a rejection has at least the message. */
export type StepDetails = Partial<Revocation>;

interface Decided {
  app: AppRow;
  step: DecisionStep;
  reviewed: ReviewedRevision;
  details: StepDetails;
  /** The event of the decision. */
  event: EventRow;
}

/** Stores a decision in its transaction, with the content that was decided on, and ends the claim on the app. */
export async function recordDecision(
  transaction: Connection,
  { app, step, reviewed, details: { code, message, fields, note }, event }: Decided,
): Promise<void> {
  const decision: DecisionRow = {
    event_id: event.id,
    app_id: app.id,
    step,
    revision: reviewed.revision,
    revision_nonce: reviewed.revisionNonce,
    content: snapshotText(reviewed.content),
    code: code ?? null,
    message: message ?? null,
    fields: fields ? JSON.stringify(fields) : null,
    note: note ?? null,
    actor: event.actor,
    decided_at: event.occurred_at,
    waiting_since: app.waiting_since || null,
  };
  // In one round trip.
  await Promise.all([insertDecision(transaction, decision), deleteClaim(transaction, { appId: app.id })]);
}

/** The parts of the registry that the view of a decision depends on, and the access of the caller. */
export interface DecisionViewBase extends Pick<Registry, 'epoch'> {
  /** Whether the caller may read what is only for reviewers. */
  showsNotes: boolean;
  /** The names of the actors who decided, where they are known. */
  names: Map<string, string>;
}

/** A decision with the content that was decided on. */
function decisionView(base: DecisionViewBase, row: DecisionRow): Decision {
  return { ...decisionSummary(base, row), content: wholeContentView(contentOfSnapshot(JSON.parse(row.content))) };
}

export function decisionSummary(base: DecisionViewBase, row: DecisionRow): DecisionSummary {
  return {
    id: row.event_id,
    // As stored: a later release may have stored another one.
    step: row.step as DecisionSummary['step'],
    revision: row.revision,
    etag: revisionETag(base, row),
    decidedAt: dateTime(row.decided_at),
    actor: row.actor,
    ...optional({
      actorName: base.names.get(row.actor) ?? null,
      code: row.code,
      message: row.message,
      note: base.showsNotes ? row.note : null,
    }),
    ...(row.fields !== null && { fields: JSON.parse(row.fields) }),
  };
}
