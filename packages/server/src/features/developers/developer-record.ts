import Type from 'typebox';
import { developerNotFound } from '../../kernel/failure.ts';
import { operation } from '../../kernel/operation.ts';
import { DateTime, dateTime, optional } from '../../kernel/text.ts';
import type { Reader } from '../../storage/query.ts';
import { operatorDeveloperView, requireDeveloperId } from './change-developer.ts';
import { OperatorDeveloper } from './developer.ts';
import {
  countSuspensions,
  type DecisionCount,
  findDeveloper,
  findFirstApp,
  findFirstDeletedApp,
  type HistoryLimits,
  listDeveloperHistories,
} from './developer-queries.ts';

/** What of the history of one developer is counted, so that no request works for long. */
const limits = { counted: 10_000, appsWithDecisions: 1_000 };
/** The same of each of the developers on a page. */
const limitsOfEach = { counted: 100, appsWithDecisions: 100 };

function countedUpTo(counted: number) {
  return (description: string) =>
    Type.Integer({
      minimum: 0,
      maximum: counted,
      description: `${description} ${counted} means at least ${counted}.`,
    });
}

/** The apps of a developer and the decisions about them, as counts. */
function countFields({ counted, appsWithDecisions }: HistoryLimits) {
  const count = countedUpTo(counted);
  const some = appsWithDecisions.toLocaleString('en');
  return {
    apps: Type.Object(
      {
        draft: count('Apps that are `DRAFT`.'),
        awaitingReview: count('Apps that are `AWAITING_REVIEW`.'),
        approved: count('Apps that are `APPROVED`.'),
        rejected: count('Apps that are `REJECTED`.'),
        deleted: count('Deleted apps that can be restored.'),
      },
      { description: 'The apps that belong to the developer, or did when they were deleted.' },
    ),
    decisions: Type.Object(
      {
        approved: count('Approvals of apps and of changes.'),
        rejected: count('Rejections of apps.'),
        changesRejected: count('Rejections of changes.'),
        revoked: count('Revocations.'),
      },
      {
        description: `The stored decisions about those apps; with more than ${some} apps, only those about the ${some} newest and up to ${some} deleted ones.`,
      },
    ),
  };
}

/** What a reviewer should know of a developer. */
const DeveloperRecord = Type.Object(
  {
    developer: OperatorDeveloper,
    ...countFields(limits),
    suspensions: countedUpTo(limits.counted)(
      'How often the developer was suspended, according to events that are not archived.',
    ),
    firstAppAt: Type.Optional(Type.String({ ...DateTime, description: 'When the first of those apps was created.' })),
    lastDecisionAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When the last of those decisions was made.' }),
    ),
  },
  { $id: 'DeveloperRecord', description: 'The record of a developer, for reviewers.' },
);

/** What a list for reviewers shows of the record of each developer. */
export const DeveloperCounts = Type.Object(countFields(limitsOfEach), {
  $id: 'DeveloperCounts',
  description: 'The apps of a developer and the decisions about them, each counted up to 100.',
});
type DeveloperCounts = Type.Static<typeof DeveloperCounts>;

/** Reads indexes up to limits, so it takes the same time for any number of apps. */
export const getDeveloperRecord = operation({
  id: 'getDeveloperRecord',
  method: 'GET',
  path: '/operator/v1/developers/:id/record',
  summary: 'Get the record of a developer: apps, decisions and suspensions',
  description: 'Each count stops at 10,000, so that the response time does not depend on the number of apps.',
  scope: 'read',
  response: DeveloperRecord,
  refusals: ['developer_not_found'],
  command: {
    name: 'developer get-record',
    description:
      'Show the record of a developer: the number of their apps, decisions and suspensions, each counted up to 10,000.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    examples: ['app-registry developer get-record user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, params }) {
    const developerId = requireDeveloperId(registry, params.id);
    const { reader } = registry.storage;
    const developer = await findDeveloper(reader, { userId: developerId });
    if (!developer) throw developerNotFound(developerId);
    const [[history], suspended, firstAppAt] = await Promise.all([
      listDeveloperHistories(reader, [developerId], limits),
      countSuspensions(reader, { developerId, limit: limits.counted }),
      firstCreation(reader, developerId),
    ]);
    if (!history) throw developerNotFound(developerId);
    // The event of the current one may be archived, or be that of an import.
    const suspensions = Math.max(suspended?.suspensions ?? 0, developer.suspended_at === null ? 0 : 1);
    const lastAt = Math.max(...history.decisions.map(({ last }) => last));
    return {
      developer: operatorDeveloperView(developer),
      ...countsView(history, limits),
      suspensions,
      ...optional({
        firstAppAt: firstAppAt === null ? null : dateTime(firstAppAt),
        lastDecisionAt: history.decisions.length === 0 ? null : dateTime(lastAt),
      }),
    };
  },
});

/** The counts of these developers by their ids, in one query. */
export async function developerCounts(reader: Reader, developerIds: string[]): Promise<Map<string, DeveloperCounts>> {
  const histories = await listDeveloperHistories(reader, developerIds, limitsOfEach);
  return new Map(histories.map((history) => [history.user_id, countsView(history, limitsOfEach)]));
}

function countsView(
  { apps, decisions }: { apps: Record<string, number>; decisions: DecisionCount[] },
  { counted }: HistoryLimits,
): DeveloperCounts {
  // Each status is two ranges of the index.
  const bounded = (count = 0) => Math.min(count, counted);
  const countOf = (wanted: string) => decisions.find(({ step }) => step === wanted)?.count ?? 0;
  return {
    apps: {
      draft: bounded(apps.DRAFT),
      awaitingReview: bounded(apps.AWAITING_REVIEW),
      approved: bounded(apps.APPROVED),
      rejected: bounded(apps.REJECTED),
      deleted: bounded(apps.deleted),
    },
    decisions: {
      approved: countOf('approve'),
      rejected: countOf('reject'),
      changesRejected: countOf('reject-change'),
      revoked: countOf('revoke'),
    },
  };
}

async function firstCreation(reader: Reader, developerId: string): Promise<number | null> {
  const [app, deleted] = await Promise.all([
    findFirstApp(reader, { developerId }),
    findFirstDeletedApp(reader, { developerId }),
  ]);
  const times = [...(app ? [app.created_at] : []), ...(deleted ? [JSON.parse(deleted.row).created_at as number] : [])];
  return times.length === 0 ? null : Math.min(...times);
}
