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
  timeParameters,
  totalFields,
  totalParameter,
} from '../../../kernel/page.ts';
import { openString } from '../../../kernel/problem-details.ts';
import { type Registry, readsNotes } from '../../../kernel/registry.ts';
import { DateTime, dateTime } from '../../../kernel/text.ts';
import type { AppContent, AppRow, DecisionRow } from '../../../storage/tables.ts';
import { namesOfActors } from '../../access/actor-names.ts';
import { operatorDeveloperView } from '../../developers/change-developer.ts';
import { OperatorDeveloper } from '../../developers/developer.ts';
import { listDevelopers } from '../../developers/developer-queries.ts';
import { DeveloperCounts, developerCounts } from '../../developers/developer-record.ts';
import { readSettings } from '../../settings/settings.ts';
import {
  appContentFields,
  approvedContent,
  changedContentColumns,
  contentOfSnapshot,
  contentPath,
} from '../app-content.ts';
import { AppSummary, OperatorApp, viewParameter } from '../app-schemas.ts';
import { listedView, operatorView } from '../app-view.ts';
import { undecidedColumns } from '../next-app.ts';
import { DecisionSummary } from './decision.ts';
import { type DecisionViewBase, decisionSummary } from './decisions.ts';
import { currentClaims, currentClaimsOf } from './review-claims.ts';
import { listLastDecisions, type QueueFilter, queueOrder } from './review-queries.ts';
import { AllowedSteps, claimFields } from './review-status.ts';
import { ReviewWarning } from './review-warning.ts';
import {
  getReviewQueueCounts,
  queuePage,
  queueTotal,
  reviewTargetMs,
  searchQueue,
  type WarnedApp,
} from './search-queue.ts';
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
  dueAt: Type.Unsafe<string>({
    ...DateTime,
    description: 'When the item is late: `waitingSince` plus the hours of the setting `reviewTargetHours`.',
  }),
  fields: Type.Array(FieldPath, {
    description: 'The fields that differ from the approved content; if there is none, the fields with a value.',
  }),
  warnings: Type.Array(ReviewWarning, {
    description: 'Findings in the current content that a reviewer should check.',
  }),
  ...claimFields,
  developer: OperatorDeveloper,
};

/** An app in the review queue. */
const QueueItem = Type.Object(
  {
    ...summaryFields,
    app: OperatorApp,
    developerCounts: DeveloperCounts,
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
    isNew: Type.Optional(
      Type.Boolean({
        description: 'Only submissions of apps that were never approved, or only all other items.',
      }),
    ),
    claimedBy: Type.Optional(
      Type.Unsafe<'me'>({
        type: 'string',
        enum: ['me'],
        description: 'Only items that are assigned to the caller.',
      }),
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
      isNew: '--new only submissions of apps that were never approved',
      claimedBy: '<actor> me: only items that are assigned to you',
      hasWarnings: '--warnings search for apps with warnings',
      view: '<view> summary (default) or full, which has the content',
    },
    negations: {
      isNew: '--no-new only other items',
      hasWarnings: '--no-warnings search for apps without warnings',
    },
    columns: ['waitingSince', 'kind', 'app.id', 'app.name', 'fields'],
    examples: [
      'app-registry review-queue list --limit 5',
      'app-registry review-queue list --kind change --sort -waitingSince',
      'app-registry review-queue list --warnings --until 2026-03-01T09:30:00Z',
    ],
  },
  async run({ registry, caller, scopes, query: { withTotal, view = 'summary', ...query } }) {
    const showsNotes = readsNotes(scopes);
    const { hasWarnings } = query;
    const filter = readFilter(registry, query, caller.actor);
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
        return { ...around, rows: await (view === 'full' ? itemsInFull : summaries)(registry, rows, showsNotes) };
      },
      view: (item) => item,
    });
    return withTotal ? { ...page, ...(await queueTotal(registry, { ...filter, sorting, hasWarnings })) } : page;
  },
});

/** What awaits review. */
export const reviewQueueOperations = byId(listReviewQueue, getReviewQueueCounts);

function readFilter(
  registry: Registry,
  { kind, developerId, isNew, claimedBy }: ReviewQueueQuery,
  actor: string,
): QueueFilter {
  return {
    kind,
    isNew,
    developerId: developerId && requirePlatformId(developerId, registry.userIdPrefix, '/developerId'),
    claims: claimedBy && currentClaimsOf(registry, actor),
  };
}

/** The items of a page in full, in as many queries for any number of them. */
async function itemsInFull(registry: Registry, apps: WarnedApp[], showsNotes: boolean): Promise<QueueItem[]> {
  const { reader } = registry.storage;
  const [shown, decisions, counts] = await Promise.all([
    summaries(registry, apps, showsNotes),
    listLastDecisions(
      reader,
      apps.map(({ app }) => app.id),
    ),
    developerCounts(reader, developersOf(apps)),
  ]);
  const names = await namesOfActors(
    registry,
    decisions.map(({ actor }) => actor),
  );
  return apps.map(({ app }, at) => {
    const [summary, developer] = [shown[at] as QueueItemSummary, counts.get(app.developer_id)];
    if (!developer) throw new Error(`the developer ${app.developer_id} does not exist`);
    const row = decisions.find(({ app_id }) => app_id === app.id);
    return {
      ...summary,
      app: operatorView(registry, app, app.changes_to_approved),
      developerCounts: developer,
      ...(row && {
        sinceLastDecision: sinceDecision({ ...registry, names, showsNotes }, { app, row, shown: summary.fields }),
      }),
      reviewSteps: allowedSteps({ app, changesToApproved: app.changes_to_approved }),
    };
  });
}

async function summaries(registry: Registry, apps: WarnedApp[], showsNotes: boolean): Promise<QueueItemSummary[]> {
  const ids = apps.map(({ app }) => app.id);
  const { reader } = registry.storage;
  const [settings, developers, claims] = await Promise.all([
    readSettings(reader),
    listDevelopers(reader, developersOf(apps)),
    currentClaims(registry, showsNotes ? ids : []),
  ]);
  return apps.map(({ app, warnings }) => {
    const developer = developers.find(({ user_id }) => user_id === app.developer_id);
    if (!developer) throw new Error(`the developer ${app.developer_id} does not exist`);
    return {
      kind: queueKind(app),
      waitingSince: dateTime(app.waiting_since),
      dueAt: dateTime(app.waiting_since + reviewTargetMs(settings)),
      fields: fieldsToReview(app),
      warnings,
      ...claims.get(app.id),
      developer: operatorDeveloperView(developer),
      app: listedView(registry, app, { changesToApproved: app.changes_to_approved }),
    };
  });
}

function developersOf(apps: WarnedApp[]): string[] {
  return [...new Set(apps.map(({ app }) => app.developer_id))];
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
