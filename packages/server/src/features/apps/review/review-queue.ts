import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { requirePlatformId } from '../../../kernel/check.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import {
  pageOf,
  pageParameters,
  readPage,
  sortingOf,
  sortParameter,
  type Total,
  timeParameters,
  totalFields,
  totalMax,
  totalParameter,
} from '../../../kernel/page.ts';
import { openString } from '../../../kernel/problem-details.ts';
import { type Registry, readsNotes } from '../../../kernel/registry.ts';
import { DateTime, dateTime } from '../../../kernel/text.ts';
import type { PageOfRows } from '../../../storage/row-pages.ts';
import type { AppContent, AppRow, DecisionRow } from '../../../storage/tables.ts';
import {
  appContentFields,
  approvedContent,
  changedContentColumns,
  contentOfSnapshot,
  contentPath,
} from '../app-content.ts';
import type { AppRowWithSetting } from '../app-queries.ts';
import { AppSummary, OperatorApp, viewParameter } from '../app-schemas.ts';
import { listedView, type OperatorViewBase, operatorView } from '../app-view.ts';
import { catchUp } from '../comparison/projections.ts';
import { undecidedColumns } from '../next-app.ts';
import { listWarnings } from './app-warnings.ts';
import { DecisionSummary } from './decision.ts';
import { type DecisionViewBase, decisionSummary } from './decisions.ts';
import { currentClaims } from './review-claims.ts';
import {
  countQueueEnd,
  listLastDecisions,
  listReviewQueuePage,
  positionAfter,
  type QueueFilter,
  type QueueRequest,
  queueOrder,
} from './review-queries.ts';
import { AllowedSteps, ReviewClaim } from './review-status.ts';
import { ReviewWarning } from './review-warning.ts';
import { allowedSteps } from './transitions.ts';

/** What in the queue awaits a decision. */
const queueKinds = ['submission', 'change', 'transfer'] as const;
type QueueKind = (typeof queueKinds)[number];

const FieldPath = Type.String({ description: 'A field of the content.', examples: ['oauthInfo.callbackUrl'] });

const summaryFields = {
  kind: openString(queueKinds, {
    description:
      'What to decide on: `submission`, a submitted app; `change`, changed content of an approved app; `transfer`, the new developer of an approved app, with its change, if any. Later releases may add kinds.',
  }),
  waitingSince: Type.Unsafe<string>({
    ...DateTime,
    description: 'The time of the submission, of the oldest undecided change, or of the transfer.',
  }),
  fields: Type.Array(FieldPath, {
    description: 'The fields that differ from the approved content; if there is none, the fields with a value.',
  }),
  warnings: Type.Array(ReviewWarning, {
    description: 'Findings in the current content that a reviewer should check.',
  }),
  claim: Type.Optional(ReviewClaim),
};

/** An app in the review queue. */
const QueueItem = Type.Object(
  {
    ...summaryFields,
    app: OperatorApp,
    sinceLastDecision: Type.Optional(
      Type.Object(
        {
          decision: DecisionSummary,
          fields: Type.Optional(
            Type.Array(FieldPath, {
              description:
                'The fields that differ from the content last decided on; absent if they are the `fields` of the item.',
            }),
          ),
          isUnchanged: Type.Boolean({
            description: 'Whether the content is the same as at the last decision.',
          }),
        },
        { description: 'The changes since the last decision; absent if no decision is stored.' },
      ),
    ),
    reviewSteps: AllowedSteps,
  },
  { $id: 'QueueItem', description: 'An app in the review queue, with all that a review needs.' },
);
export type QueueItem = Type.Static<typeof QueueItem>;

const QueueItemSummary = Type.Object(
  { ...summaryFields, app: AppSummary },
  { $id: 'QueueItemSummary', description: 'An app in the review queue, without its content.' },
);
type QueueItemSummary = Type.Static<typeof QueueItemSummary>;

/** A page of the review queue and, if requested, how many apps are in it. */
const QueueItemPage = Type.Object(
  { ...pageOf(Type.Union([QueueItem, QueueItemSummary]), 'QueueItem').properties, ...totalFields },
  { $id: 'QueueItemPage', description: 'One page of the review queue, with its total if `withTotal` is true.' },
);
export type QueueItemPage = Type.Static<typeof QueueItemPage>;

/** The query of a page of the review queue. */
const ReviewQueueQuery = Type.Object(
  {
    kind: Type.Optional(
      Type.Unsafe<QueueKind>({ type: 'string', enum: queueKinds, description: 'Only items of this kind.' }),
    ),
    developerId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only apps of this developer.' }),
    ),
    hasWarnings: Type.Optional(
      Type.Boolean({
        description:
          'Only apps with a warning, or only apps without one. Each page searches a bounded number of apps and may have no items.',
      }),
    ),
    ...sortParameter(['waitingSince'], 'waitingSince'),
    ...timeParameters('`waitingSince`'),
    ...viewParameter,
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
type ReviewQueueQuery = Type.Static<typeof ReviewQueueQuery>;

/** Reads a page in as many queries, however long the queue is. With `hasWarnings`, it is a page of a search. */
const listReviewQueue = operation({
  id: 'listReviewQueue',
  method: 'GET',
  path: '/operator/v1/review-queue',
  summary: 'List what awaits review',
  description:
    'Lists submitted apps, and approved apps with changed content or a new developer. With `view=full`, each item shows how it differs from the approved content and from the content last decided on. With `hasWarnings`, each page searches a bounded number of apps: follow `nextCursor` until there is none, even if a page has no items. Such pages have no `prevCursor`.',
  scope: 'read',
  query: ReviewQueueQuery,
  response: QueueItemPage,
  command: {
    name: 'review-queue list',
    description:
      'List what awaits review, longest waiting first by default: submitted apps, and changes and transfers of approved apps. With --view full, each item shows how it differs from the approved content and from the content last decided on.',
    options: {
      kind: '<kind> only items of this kind',
      developerId: '--developer <id> only apps of this developer, by user id as a TypeID or UUID',
      hasWarnings: '--warnings search for apps with warnings',
      view: '<view> summary (default) or full, which has the content',
    },
    negations: { hasWarnings: '--no-warnings search for apps without warnings' },
    columns: ['waitingSince', 'kind', 'app.id', 'app.name', 'fields'],
    examples: [
      'app-registry review-queue list --limit 5',
      'app-registry review-queue list --kind change --sort -waitingSince',
      'app-registry review-queue list --warnings --until 2026-03-01T09:30:00Z',
    ],
  },
  async run({ registry, scopes, query: { withTotal, view = 'summary', ...query } }) {
    const showsNotes = readsNotes(scopes);
    const { hasWarnings } = query;
    const filter = readFilter(registry, query);
    const sorting = sortingOf(query, { waitingSince: queueOrder }, 'waitingSince');
    const page = await readPage(query, {
      name: 'review queue',
      byDefault: 'waitingSince',
      filters: { developerId: filter.developerId },
      read: async (request) => {
        const listed = { ...filter, sorting, ...request };
        const { rows, ...around } = await (hasWarnings === undefined
          ? queuePage(registry, listed)
          : searchQueue(registry, { ...listed, hasWarnings }));
        return { ...around, rows: await toReview(registry, rows, showsNotes) };
      },
      view: (queued) =>
        view === 'full' ? queueItem({ ...registry, showsNotes }, queued) : queueSummary(registry, queued),
    });
    return withTotal ? { ...page, ...(await queueTotal(registry, { ...filter, sorting, hasWarnings })) } : page;
  },
});

/** What awaits review. */
export const reviewQueueOperations = byId(listReviewQueue);

function readFilter(registry: Registry, { kind, developerId }: ReviewQueueQuery): QueueFilter {
  return {
    kind,
    developerId: developerId && requirePlatformId(developerId, registry.userIdPrefix, '/developerId'),
  };
}

/** An app in the queue, and the data that a reviewer compares it with. */
interface QueuedApp {
  app: WarnedApp['app'];
  lastDecision: DecisionRow | undefined;
  warnings: QueueItem['warnings'];
  claim: QueueItem['claim'];
}

/** With what a reviewer needs besides the app and its warnings. */
async function toReview(registry: Registry, apps: WarnedApp[], showsNotes: boolean): Promise<QueuedApp[]> {
  const ids = apps.map(({ app }) => app.id);
  const [decisions, claims] = await Promise.all([
    listLastDecisions(registry.storage.reader, ids),
    currentClaims(registry, showsNotes ? ids : []),
  ]);
  const decisionOf = new Map(decisions.map((decision) => [decision.app_id, decision]));
  return apps.map(({ app, warnings }) => ({
    app,
    lastDecision: decisionOf.get(app.id),
    warnings,
    claim: claims.get(app.id),
  }));
}

function queueItem(base: OperatorViewBase & DecisionViewBase, queued: QueuedApp): QueueItem {
  const { app, lastDecision: row } = queued;
  const summary = summaryOf(queued);
  return {
    ...summary,
    app: operatorView(base, app, app.changes_to_approved),
    ...(row && { sinceLastDecision: sinceDecision(base, { app, row, shown: summary.fields }) }),
    reviewSteps: allowedSteps({ app, changesToApproved: app.changes_to_approved }),
  };
}

function queueSummary(base: OperatorViewBase, queued: QueuedApp): QueueItemSummary {
  const { app } = queued;
  return { ...summaryOf(queued), app: listedView(base, app, { changesToApproved: app.changes_to_approved }) };
}

function summaryOf({ app, warnings, claim }: QueuedApp): Omit<QueueItemSummary, 'app'> {
  return {
    kind: queueKind(app),
    waitingSince: dateTime(app.waiting_since),
    fields: fieldsToReview(app),
    warnings,
    ...(claim && { claim }),
  };
}

function queueKind(app: AppRow): QueueKind {
  if (app.review_status === 'AWAITING_REVIEW') return 'submission';
  return app.transfer_since > 0 ? 'transfer' : 'change';
}

/** The fields that are not approved: all with a value, if the app never was. */
function fieldsToReview(app: AppRow): string[] {
  const columns = approvedContent(app)
    ? undecidedColumns(app)
    : contentColumns.filter((column) => app[column] !== null);
  return columns.map(contentPath);
}

function sinceDecision(
  base: DecisionViewBase,
  { app, row, shown }: { app: AppContent; row: DecisionRow; shown: string[] },
): NonNullable<QueueItem['sinceLastDecision']> {
  const fields = changedContentColumns(contentOfSnapshot(JSON.parse(row.content)), app).map(contentPath);
  return {
    decision: decisionSummary(base, row),
    ...(!isDeepStrictEqual(fields, shown) && { fields }),
    isUnchanged: fields.length === 0,
  };
}

const contentColumns = appContentFields.map(({ column }) => column);
/** How many apps one page compares with others at most, so that no request works for long. */
export const searchedAppsMax = 500;

/** As many as a page of the queue has at most. */
const batchMax = 100;

/** An app in the queue, and what a reviewer should look at. */
interface WarnedApp {
  app: AppRowWithSetting;
  warnings: ReviewWarning[];
}

/** A page of the apps in the queue that meet a filter, with their warnings. */
async function queuePage(registry: Registry, list: QueueRequest): Promise<PageOfRows<WarnedApp>> {
  const { reader } = registry.storage;
  const page = await listReviewQueuePage(reader, list);
  await catchUp(registry);
  const warnings = await listWarnings(reader, page.rows);
  return { ...page, rows: page.rows.map((app) => ({ app, warnings: warnings.get(app.id) ?? [] })) };
}

/**
 * A page of those among them that have warnings, or have none. It ends when it is full or has compared as many apps as
 * a page may; then the next one continues after the last app that was compared.
 */
async function searchQueue(
  registry: Registry,
  { limit, hasWarnings, ...list }: QueueRequest & { hasWarnings: boolean },
): Promise<PageOfRows<WarnedApp>> {
  const found: WarnedApp[] = [];
  let searched = 0;
  for await (const { one, isLast } of appsInQueue(registry, list)) {
    searched += 1;
    if (one.warnings.length > 0 === hasWarnings) found.push(one);
    const isFull = found.length >= limit || searched >= searchedAppsMax;
    if (isFull && !isLast) return { rows: found, next: positionAfter(one.app) };
  }
  return { rows: found };
}

interface TotalOf extends Omit<QueueRequest, 'limit'> {
  hasWarnings?: boolean | undefined;
}

/**
 * How many apps of the queue meet every filter, by reading at most twice `totalMax` rows of its index, and comparing at most
 * `searchedAppsMax` apps. Exact where that is all of them; else an estimate by those at both ends of the queue.
 */
async function queueTotal(registry: Registry, { hasWarnings, ...filter }: TotalOf): Promise<Total> {
  const total = await countQueue(registry, filter);
  if (hasWarnings === undefined) return total;
  let [searched, found] = [0, 0];
  for await (const { one, isLast } of appsInQueue(registry, filter)) {
    searched += 1;
    if (one.warnings.length > 0 === hasWarnings) found += 1;
    if (searched >= searchedAppsMax && !isLast) return estimate((countOf(total) * found) / searched);
  }
  return { total: found };
}

async function countQueue({ storage: { reader } }: Registry, filter: Omit<QueueRequest, 'limit'>): Promise<Total> {
  const limit = totalMax + 1;
  const start = await countQueueEnd(reader, { ...filter, limit, fromEnd: false });
  if (start.counted <= totalMax) return { total: start.matching };
  const end = await countQueueEnd(reader, { ...filter, limit, fromEnd: true });
  const counted = start.counted + end.counted;
  const [startMs, endMs] = [rangeLength(start), rangeLength(end)];
  // Below 0 where the two overlap.
  const betweenMs = (end.first ?? 0) - (start.last ?? 0);
  // As many in each millisecond between the two as in both.
  const waiting = counted + (betweenMs * counted) / Math.max(1, startMs + endMs);
  return estimate((Math.max(waiting, limit) * (start.matching + end.matching)) / counted);
}

function rangeLength({ first, last }: { first: number | null; last: number | null }): number {
  return (last ?? 0) - (first ?? 0);
}

function countOf(total: Total): number {
  return 'total' in total ? total.total : total.estimatedTotal;
}

function estimate(total: number): Total {
  return { estimatedTotal: Math.round(total) };
}

/** The apps in the queue that meet a filter, each with whether it is the last one. */
async function* appsInQueue(
  registry: Registry,
  { position, ...list }: Omit<QueueRequest, 'limit'>,
): AsyncGenerator<{ one: WarnedApp; isLast: boolean }> {
  for (let from = position; ; ) {
    const { rows, next } = await queuePage(registry, { ...list, limit: batchMax, position: from });
    for (const [at, one] of rows.entries()) yield { one, isLast: !next && at === rows.length - 1 };
    if (!next) return;
    from = next;
  }
}
