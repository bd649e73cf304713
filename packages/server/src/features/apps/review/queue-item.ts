import { dateTime } from '../../../kernel/date-time.ts';
import type { AppContent, AppRow, DecisionRow } from '../../../storage/tables.ts';
import { changedContentColumns } from '../app-content.ts';
import { appContentFields, type ContentPath } from '../app-content-fields.ts';
import type { AppRowWithMode } from '../app-queries.ts';
import { type OperatorViewBase, operatorView, optional } from '../app-view.ts';
import { approvedContent, contentOfSnapshot } from '../content-snapshot.ts';
import { undecidedColumns } from '../effective-content.ts';
import { type DecisionViewBase, decisionSummary } from './decision-view.ts';
import type { QueueItem, QueueKind } from './review-queue.ts';
import { allowedSteps } from './transitions.ts';

/** An app in the queue, and the data that a reviewer compares it with. */
export interface QueuedApp {
  app: AppRowWithMode;
  lastDecision: DecisionRow | undefined;
  warnings: QueueItem['warnings'];
  claim: QueueItem['claim'];
}

export function queueItem(
  base: OperatorViewBase & DecisionViewBase,
  { app, lastDecision, warnings, claim }: QueuedApp,
): QueueItem {
  const difference = differenceOf(app);
  return {
    kind: kindOf(app),
    waitingSince: dateTime(app.waiting_since),
    app: operatorView(base, app, app.changes_to_approved),
    revisions: {
      ...(app.approved_revision !== null && { from: app.approved_revision }),
      to: app.revision,
      count: app.revision - (app.approved_revision ?? 0),
    },
    fields: difference.map(({ field }) => field),
    difference,
    ...(lastDecision && { sinceLastDecision: sinceDecision(base, app, lastDecision) }),
    warnings,
    reviewSteps: allowedSteps({ app, mode: app.changes_to_approved }),
    ...(claim && { claim }),
  };
}

function kindOf(app: AppRow): QueueKind {
  if (app.review_status === 'AWAITING_REVIEW') return 'submission';
  return app.transfer_since > 0 ? 'transfer' : 'change';
}

/** How the content differs from what is approved: from nothing, when it never was. */
function differenceOf(app: AppRow): QueueItem['difference'] {
  const approved = approvedContent(app);
  const columns = approved ? undecidedColumns(app) : contentColumns.filter((column) => app[column] !== null);
  return columns.map((column) => {
    const after = app[column];
    // The same value as approved was withdrawn since, and is there again.
    const before = approved && approved[column] !== after ? approved[column] : null;
    return { field: pathOf(column), ...optional({ before, after }) };
  });
}

function sinceDecision(
  base: DecisionViewBase,
  app: AppContent,
  row: DecisionRow,
): NonNullable<QueueItem['sinceLastDecision']> {
  const fields = changedContentColumns(contentOfSnapshot(JSON.parse(row.content)), app).map(pathOf);
  return { decision: decisionSummary(base, row), fields, isUnchanged: fields.length === 0 };
}

const contentColumns = appContentFields.map(({ column }) => column);
const paths = new Map<keyof AppContent, ContentPath>(appContentFields.map(({ column, path }) => [column, path]));

function pathOf(column: keyof AppContent): string {
  return paths.get(column) ?? column;
}
