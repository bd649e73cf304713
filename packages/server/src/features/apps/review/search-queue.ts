import Type from 'typebox';
import { operation } from '../../../kernel/operation.ts';
import { type Total, totalMax } from '../../../kernel/page.ts';
import { type Registry, reusedBriefly } from '../../../kernel/registry.ts';
import type { PageOfRows } from '../../../storage/row-pages.ts';
import { readSettings, type SettingValues } from '../../settings/settings.ts';
import type { AppRowWithSetting } from '../app-queries.ts';
import { catchUp } from '../comparison/projections.ts';
import { listWarnings } from './app-warnings.ts';
import { currentClaimsOf } from './review-claims.ts';
import {
  countClaimed,
  countQueueEnd,
  listReviewQueuePage,
  positionAfter,
  type QueueFilter,
  type QueueRequest,
  queueOrder,
} from './review-queries.ts';
import type { ReviewWarning } from './review-warning.ts';

function count(description: string) {
  return Type.Object(
    {
      total: Type.Optional(Type.Integer({ minimum: 0, description: 'The number, if it is known.' })),
      estimatedTotal: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Instead of `total`, where not everything was counted: an estimate.' }),
      ),
    },
    { description },
  );
}

/** How much awaits review, of each sort. */
const ReviewQueueCounts = Type.Object(
  {
    all: count('All items.'),
    new: count('Submissions of apps that were never approved, as `isNew=true` lists them.'),
    changes: count('Changes of approved apps, as `kind=change` lists them.'),
    transfers: count('Transfers of approved apps, as `kind=transfer` lists them.'),
    mine: count('Items that are assigned to the caller, as `claimedBy=me` lists them.'),
    late: count('Items that have waited longer than the setting `reviewTargetHours` allows.'),
    risk: count(
      'Items with warnings, as `hasWarnings=true` lists them. Above 500 items in the queue, an estimate by the 500 that have waited longest. At most a minute old, where comparing is slow.',
    ),
  },
  {
    $id: 'ReviewQueueCounts',
    description:
      'How many items of each sort are in the review queue. Each count has `total`, or else `estimatedTotal`.',
  },
);
type ReviewQueueCounts = Type.Static<typeof ReviewQueueCounts>;

/** Reads the index of the queue up to a limit at both ends, however long the queue is. */
export const getReviewQueueCounts = operation({
  id: 'getReviewQueueCounts',
  method: 'GET',
  path: '/operator/v1/review-queue/counts',
  summary: 'Count what awaits review',
  description:
    'Counts up to 10,000 items exactly, and estimates more by the 10,000 at each end of the queue. Compares at most 500 items with other apps for `risk`.',
  scope: 'read',
  response: ReviewQueueCounts,
  command: {
    name: 'review-queue get-counts',
    description: 'Show how many new apps, changes, transfers, late items and items with warnings await review.',
    // One line per count.
    readable: (counts) => Object.fromEntries(Object.entries(counts).map(([name, one]) => [name, textOf(one)])),
    examples: ['app-registry review-queue get-counts'],
  },
  async run({ registry, caller }) {
    const { reader } = registry.storage;
    const sorting = { order: queueOrder };
    const settings = await readSettings(reader);
    const lateBefore = String(registry.now() - reviewTargetMs(settings));
    const [[all, fresh, changes, transfers], [late], mine] = await Promise.all([
      countQueue(registry, [{}, { isNew: true }, { kind: 'change' }, { kind: 'transfer' }], { sorting }),
      countQueue(registry, [{}], { sorting: { ...sorting, until: [lateBefore, ''] } }),
      queueTotal(registry, { sorting, claims: currentClaimsOf(registry, caller.actor) }),
    ]);
    const risk = warnedTotal(await recentlyWarned(registry), all as Total);
    return { all, new: fresh, changes, transfers, mine, late, risk } as ReviewQueueCounts;
  },
});

function textOf({ total, estimatedTotal }: ReviewQueueCounts['all']): string {
  return total === undefined ? `about ${estimatedTotal}` : `${total}`;
}

/** How long an item may wait before it is late. */
export function reviewTargetMs({ reviewTargetHours }: SettingValues): number {
  return reviewTargetHours * 3_600_000;
}

/** How many apps one page compares with others at most, so that no request works for long. */
export const searchedAppsMax = 500;

/** As many as a page of the queue has at most. */
const batchMax = 100;

/** An app in the queue, and what a reviewer should look at. */
export interface WarnedApp {
  app: AppRowWithSetting;
  warnings: ReviewWarning[];
}

/** A page of the apps in the queue that meet a filter, with their warnings. */
export async function queuePage(registry: Registry, list: QueueRequest): Promise<PageOfRows<WarnedApp>> {
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
export async function searchQueue(
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

/** How many apps of the queue meet every filter. */
export async function queueTotal(registry: Registry, { hasWarnings, ...filter }: TotalOf): Promise<Total> {
  const total = filter.claims ? await claimedTotal(registry, filter) : await onlyCount(registry, filter);
  return hasWarnings === undefined
    ? total
    : warnedTotal(await searchWarned(registry, { ...filter, hasWarnings }), total);
}

async function onlyCount(registry: Registry, { sorting, ...filter }: TotalOf): Promise<Total> {
  const [total] = await countQueue(registry, [filter], { sorting });
  return total as Total;
}

/** A caller has claimed few of all apps, so that they are not at the ends of a long queue. */
async function claimedTotal({ storage: { reader } }: Registry, filter: TotalOf): Promise<Total> {
  const counted = await countClaimed(reader, { ...filter, limit: totalMax + 1 });
  return counted <= totalMax ? { total: counted } : { estimatedTotal: totalMax };
}

/** How many apps of some that were compared with others have warnings, or have none. */
interface Warned {
  searched: number;
  found: number;
  /** Whether these are all that meet the other filters. */
  isAll: boolean;
}

/** Compares at most `searchedAppsMax` apps. */
async function searchWarned(
  registry: Registry,
  { hasWarnings, ...filter }: TotalOf & { hasWarnings: boolean },
): Promise<Warned> {
  let [searched, found] = [0, 0];
  for await (const { one, isLast } of appsInQueue(registry, filter)) {
    searched += 1;
    if (one.warnings.length > 0 === hasWarnings) found += 1;
    if (searched >= searchedAppsMax && !isLast) return { searched, found, isAll: false };
  }
  return { searched, found, isAll: true };
}

/** Several consoles request the counts every few seconds. */
const recentlyWarned = reusedBriefly((registry) =>
  searchWarned(registry, { sorting: { order: queueOrder }, hasWarnings: true }),
);

/** Exact if all were compared, else an estimate by those that were. */
function warnedTotal({ searched, found, isAll }: Warned, total: Total): Total {
  return isAll ? { total: found } : estimate((countOf(total) * found) / searched);
}

/**
 * How many apps of the queue meet each filter, by reading at most twice `totalMax` rows of its index. Exact where that is all
 * of them; else an estimate by those at both ends of the queue.
 */
async function countQueue(
  { storage: { reader } }: Registry,
  filters: QueueFilter[],
  { sorting }: Pick<QueueRequest, 'sorting'>,
): Promise<Total[]> {
  const limit = totalMax + 1;
  const start = await countQueueEnd(reader, { filters, sorting, limit, fromEnd: false });
  if (start.counted <= totalMax) return start.matching.map((total) => ({ total }));
  const end = await countQueueEnd(reader, { filters, sorting, limit, fromEnd: true });
  const counted = start.counted + end.counted;
  const [startMs, endMs] = [rangeLength(start), rangeLength(end)];
  // Below 0 where the two overlap.
  const betweenMs = (end.first ?? 0) - (start.last ?? 0);
  // As many in each millisecond between the two as in both.
  const waiting = Math.max(counted + (betweenMs * counted) / Math.max(1, startMs + endMs), limit);
  return start.matching.map((matching, at) => estimate((waiting * (matching + (end.matching[at] ?? 0))) / counted));
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
