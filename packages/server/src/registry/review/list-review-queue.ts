import type { PageOf } from '../../contract/page.ts';
import { type QueueItem, ReviewQueueQuery } from '../../contract/review/review-queue.ts';
import type { AppRowWithMode } from '../../storage/queries/apps.ts';
import { listLastDecisions } from '../../storage/queries/review/decisions.ts';
import { listReviewQueuePage } from '../../storage/queries/review/review-queue.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { currentClaims } from './claims/current-claims.ts';
import { type QueuedApp, queueItem } from './queue-item.ts';
import { warningsOf } from './warnings/warnings-of.ts';

interface QueueInput {
  query: unknown;
  /** Whether the caller may read what is only for reviewers. */
  showsNotes: boolean;
}

/**
 * A page of the review queue, longest waiting first or else newest first, of one kind or developer if given: in as many
 * queries, however long it is. Refuses with `invalid_content`.
 */
export async function listReviewQueue(
  registry: Registry,
  { query, showsNotes }: QueueInput,
): Promise<PageOf<QueueItem>> {
  const given = requireValid(ReviewQueueQuery, query);
  const filter = readFilter(registry, given);
  return readPage(given, {
    name: 'review queue',
    read: async (request) => {
      const page = await listReviewQueuePage(registry.storage.reader, { ...filter, ...request });
      return { ...page, rows: await toReview(registry, page.rows, showsNotes) };
    },
    view: (queued) => queueItem({ ...registry, showsNotes }, queued),
  });
}

function readFilter(registry: Registry, { kind, developerId, newestFirst }: ReviewQueueQuery) {
  const ids = new PlatformIds();
  const developer =
    developerId === undefined ? undefined : ids.read(developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  return { kind, developerId: developer, newestFirst };
}

/** With what a reviewer needs besides the app. */
async function toReview(registry: Registry, apps: AppRowWithMode[], showsNotes: boolean): Promise<QueuedApp[]> {
  const ids = apps.map(({ id }) => id);
  const { reader } = registry.storage;
  const [decisions, warnings, claims] = await Promise.all([
    listLastDecisions(reader, ids),
    warningsOf(reader, apps),
    currentClaims(registry, showsNotes ? ids : []),
  ]);
  const decisionOf = new Map(decisions.map((decision) => [decision.app_id, decision]));
  return apps.map((app) => ({
    app,
    lastDecision: decisionOf.get(app.id),
    warnings: warnings.get(app.id) ?? [],
    claim: claims.get(app.id),
  }));
}
