import Type from 'typebox';
import { dateTime } from '../../kernel/date-time.ts';
import { developerNotFound } from '../../kernel/failure.ts';
import { operation } from '../../kernel/operation.ts';
import { DateTime } from '../../kernel/text.ts';
import type { Reader } from '../../storage/statement.ts';
import { optional } from '../apps/app-view.ts';
import type { DecisionStep } from '../apps/review/decision.ts';
import { operatorDeveloperView, requireDeveloperId } from './change-developer.ts';
import { OperatorDeveloper } from './developer.ts';
import {
  countAppsOfDeveloper,
  countDecisions,
  countSuspensions,
  findDeveloper,
  findFirstApp,
  findFirstDeletedApp,
  listNewestAppIds,
} from './developer-queries.ts';

/** What of a developer's history is counted, so that no request works for long. */
const limit = 10_000;
const appsWithDecisions = 1_000;

const counted = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: limit,
    description: `${description} 10000 means at least 10000.`,
  });

/** What a reviewer should know of a developer. */
const DeveloperRecord = Type.Object(
  {
    developer: OperatorDeveloper,
    apps: Type.Object(
      {
        draft: counted('Apps that are `DRAFT`.'),
        awaitingReview: counted('Apps that are `AWAITING_REVIEW`.'),
        approved: counted('Apps that are `APPROVED`.'),
        rejected: counted('Apps that are `REJECTED`.'),
        deleted: counted('Deleted apps that can be restored.'),
      },
      { description: 'The apps that belong to the developer, or did when they were deleted.' },
    ),
    decisions: Type.Object(
      {
        approved: counted('Approvals of apps and of changes.'),
        rejected: counted('Rejections of apps.'),
        changesRejected: counted('Rejections of changes.'),
        revoked: counted('Revocations.'),
      },
      {
        description:
          'The stored decisions about those apps; with more than 1,000 apps, only those about the 1,000 newest and up to 1,000 deleted ones.',
      },
    ),
    suspensions: counted('How often the developer was suspended, according to events that are not archived.'),
    firstAppAt: Type.Optional(Type.String({ ...DateTime, description: 'When the first of those apps was created.' })),
    lastDecisionAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When the last of those decisions was made.' }),
    ),
  },
  { $id: 'DeveloperRecord', description: 'The record of a developer, for reviewers.' },
);
type DeveloperRecord = Type.Static<typeof DeveloperRecord>;

/** Reads indexes up to limits, so it takes the same time for any number of apps. */
export const getDeveloperRecord = operation({
  id: 'getDeveloperRecord',
  method: 'GET',
  path: '/operator/v1/developers/:userId/record',
  summary: 'Show the record of a developer: apps, decisions and suspensions',
  description: 'Each count stops at 10,000, so that the response time does not depend on the number of apps.',
  scope: 'read',
  response: DeveloperRecord,
  refusals: ['developer_not_found'],
  command: {
    name: 'developer get-record',
    description:
      'Show the record of a developer: the number of their apps, decisions and suspensions, each counted up to 10,000.',
    arguments: { userId: '<id> the user id, as a TypeID or UUID' },
    examples: ['app-registry developer get-record user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, params }) {
    const developerId = requireDeveloperId(registry, params.userId);
    const { reader } = registry.storage;
    const developer = await findDeveloper(reader, { userId: developerId });
    if (!developer) throw developerNotFound(developerId);
    const [apps, decisions, suspended, firstAppAt] = await Promise.all([
      appCounts(reader, developerId),
      decisionCounts(reader, developerId),
      countSuspensions(reader, { developerId, limit }),
      firstCreation(reader, developerId),
    ]);
    // The event of the current one may be archived, or be that of an import.
    const suspensions = Math.max(suspended?.suspensions ?? 0, developer.suspended_at === null ? 0 : 1);
    const { lastAt, ...counts } = decisions;
    return {
      developer: operatorDeveloperView(developer),
      apps,
      decisions: counts,
      suspensions,
      ...optional({
        firstAppAt: firstAppAt === null ? null : dateTime(firstAppAt),
        lastDecisionAt: lastAt === null ? null : dateTime(lastAt),
      }),
    };
  },
});

async function appCounts(reader: Reader, developerId: string): Promise<DeveloperRecord['apps']> {
  const counts = await countAppsOfDeveloper(reader, { developerId, limit });
  // Each status is two ranges of the index.
  const bounded = (count: number) => Math.min(count, limit);
  return {
    draft: bounded(counts.DRAFT),
    awaitingReview: bounded(counts.AWAITING_REVIEW),
    approved: bounded(counts.APPROVED),
    rejected: bounded(counts.REJECTED),
    deleted: bounded(counts.deleted),
  };
}

async function decisionCounts(
  reader: Reader,
  developerId: string,
): Promise<DeveloperRecord['decisions'] & { lastAt: number | null }> {
  const appIds = await listNewestAppIds(reader, { developerId, limit: appsWithDecisions });
  const steps = await countDecisions(reader, { appIds, limit });
  const countOf = (wanted: DecisionStep) => steps.find(({ step }) => step === wanted)?.count ?? 0;
  return {
    approved: countOf('approve'),
    rejected: countOf('reject'),
    changesRejected: countOf('reject-change'),
    revoked: countOf('revoke'),
    lastAt: steps.length === 0 ? null : Math.max(...steps.map(({ last }) => last)),
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
