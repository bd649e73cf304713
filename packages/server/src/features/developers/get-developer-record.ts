import { dateTime } from '../../kernel/date-time.ts';
import { developerNotFound } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Reader } from '../../storage/statement.ts';
import { optional } from '../apps/app-view.ts';
import type { DecisionStep } from '../apps/review/decision.ts';
import { type DeveloperRecord, developerRecordLimits } from './developer.ts';
import { findDeveloper } from './developer-queries.ts';
import {
  countAppsOfDeveloper,
  countDecisions,
  countSuspensions,
  findFirstApp,
  findFirstDeletedApp,
  listNewestAppIds,
} from './developer-record-queries.ts';
import { operatorDeveloperView } from './developer-view.ts';
import { requireDeveloperId } from './replace-developer.ts';

const { each: limit, appsWithDecisions } = developerRecordLimits;

/**
 * What a reviewer should know about a developer. Reads indexes up to limits, so it takes the same time for any number
 * of apps. Refuses with `developer_not_found`.
 */
export async function getDeveloperRecord(registry: Registry, id: string): Promise<DeveloperRecord> {
  const developerId = requireDeveloperId(registry, id);
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
}

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
