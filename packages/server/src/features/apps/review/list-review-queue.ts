import { requireValid, throwIfInvalid } from '../../../kernel/failure.ts';
import { readPage } from '../../../kernel/page.ts';
import { PlatformIds } from '../../../kernel/platform-id.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { type QueuedApp, queueItem } from './queue-item.ts';
import { queueTotal } from './queue-total.ts';
import { currentClaims } from './review-claims.ts';
import { listLastDecisions } from './review-queries.ts';
import { type QueueItemPage, ReviewQueueQuery } from './review-queue.ts';
import type { QueueFilter } from './review-queue-queries.ts';
import { queuePage, searchQueue, type WarnedApp } from './search-queue.ts';

interface QueueInput {
  query: unknown;
  /** Whether the caller may read what is only for reviewers. */
  showsNotes: boolean;
}

/**
 * A page of the review queue, longest waiting first or else newest first, of those that meet every filter: in as many
 * queries, however long it is. With `hasWarnings`, a page of a search among them. With `withTotal`, includes how many there
 * are. Refuses with `invalid_content`.
 */
export async function listReviewQueue(registry: Registry, { query, showsNotes }: QueueInput): Promise<QueueItemPage> {
  const { withTotal, ...given } = requireValid(ReviewQueueQuery, query);
  const { hasWarnings, newestFirst } = given;
  const filter = readFilter(registry, given);
  const page = await readPage(given, {
    name: 'review queue',
    read: async (request) => {
      const listed = { ...filter, newestFirst, ...request };
      const { rows, ...around } = await (hasWarnings === undefined
        ? queuePage(registry, listed)
        : searchQueue(registry, { ...listed, hasWarnings }));
      return { ...around, rows: await toReview(registry, rows, showsNotes) };
    },
    view: (queued) => queueItem({ ...registry, showsNotes }, queued),
  });
  return withTotal ? { ...page, ...(await queueTotal(registry, { ...filter, hasWarnings })) } : page;
}

function readFilter(registry: Registry, { kind, developerId, waitingBefore }: ReviewQueueQuery): QueueFilter {
  const ids = new PlatformIds();
  const developer =
    developerId === undefined ? undefined : ids.read(developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  const before = waitingBefore === undefined ? undefined : Date.parse(waitingBefore);
  return { kind, developerId: developer, waitingBefore: before };
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
