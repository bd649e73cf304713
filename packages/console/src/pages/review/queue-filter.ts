import type { ReviewQueueQuery } from '@appregistrar/client/operator';
import { hrefOf } from '../../route.ts';

/** What of the queue is listed and in which order, as the address of the page holds it. */
export interface QueueFilter {
  /** A kind of the registry, `new`, or `mine`. */
  kind?: string | undefined;
  /** Only what has waited for so many days. */
  days?: string | undefined;
  /** The user id of the developer. */
  developer?: string | undefined;
  /** `yes` or `no`. */
  warnings?: string | undefined;
  /** `newest` for what has waited shortest first. */
  sort?: string | undefined;
}

const names = ['kind', 'days', 'developer', 'warnings', 'sort'] as const satisfies (keyof QueueFilter)[];
const dayMs = 86_400_000;

export function readFilter(query: URLSearchParams): QueueFilter {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
}

/** The review of an app in the queue that this filter lists; without an app, that queue alone. */
export function hrefOfReview(filter: QueueFilter, appId?: string): string {
  return hrefOf(appId === undefined ? ['review'] : ['review', appId], { ...filter });
}

/** Whether the filter leaves something out. */
export function isFiltered({ sort: _, ...filter }: QueueFilter): boolean {
  return Object.values(filter).some(Boolean);
}

/** The same for the registry; days count back from `now`. Values that it cannot know are left to it to refuse. */
export function queueQueryOf({ kind, days, developer, warnings, sort }: QueueFilter, now: number): ReviewQueueQuery {
  return {
    ...(kind && (kinds[kind] ?? { kind: kind as NonNullable<ReviewQueueQuery['kind']> })),
    ...(Number(days) > 0 && { until: new Date(now - Number(days) * dayMs).toISOString() }),
    ...(developer && { developerId: developer }),
    ...(warnings && { hasWarnings: warnings === 'yes' }),
    ...(sort === 'newest' && { sort: '-waitingSince' as const }),
  };
}

const kinds: Record<string, ReviewQueueQuery> = { new: { isNew: true }, mine: { claimedBy: 'me' } };
