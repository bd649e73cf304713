import type { Connection } from '../../../storage/query.ts';
import type { AppRow, DecisionRow, EventRow } from '../../../storage/tables.ts';
import { snapshotText } from '../content-snapshot.ts';
import { type DecisionStep, decisionSteps } from './decision.ts';
import type { StepDetails } from './decision-details.ts';
import { deleteClaim, insertDecision } from './review-queries.ts';
import type { ReviewStep } from './review-status.ts';
import type { ReviewedRevision } from './reviewed-revision.ts';

interface Decided {
  app: AppRow;
  step: DecisionStep;
  reviewed: ReviewedRevision;
  details: StepDetails;
  /** The event of the decision. */
  event: EventRow;
}

export function isDecision(step: ReviewStep): step is DecisionStep {
  return decisionSteps.some((decision) => decision === step);
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
    revision_stamp: reviewed.stamp,
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
