import type { Registry } from '../../kernel/registry.ts';
import { feedStart } from '../../storage/storage.ts';
import type { CountedEventsRow, EventRow, WeeklyInstallationsRow } from '../../storage/tables.ts';
import { findFirstEvent, listEventsById } from '../events/event-queries.ts';
import { findFeedEnd, scanFeed } from '../events/feed/event-feed-queries.ts';
import {
  addWeeklyInstallations,
  allApps,
  beginOfWeek,
  deleteForeignCountedEvents,
  deleteWeeklyInstallationsOfApps,
  findCountedEvents,
  moveCountedEvents,
  weekAt,
} from './overview-queries.ts';

/** A few milliseconds of work in one transaction. */
const eventsAtOnce = 250;
const countedTypes = { 'installation.created': 'created', 'installation.deleted': 'deleted' } as const;
/** How many weeks statistics have. */
export const weeksShown = 12;
/** The current week and the one before, by which growing apps are found. */
export const weeksCompared = 2;

/**
 * Counts the installations made and deleted since it last did, by their events: each once, however many processes count.
 * The first time, it counts the events of all weeks that are shown, or begins with the next event if there are older ones.
 */
export async function countInstallationChanges(
  registry: Registry,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const { storage, epoch } = registry;
  let from = (await findCountedEvents(storage.reader, { epoch })) ?? (await begin(registry));
  while (!signal?.aborted) {
    const filter = { types: Object.keys(countedTypes) };
    const scanned = await scanFeed(storage, { after: from, filter, rowsMax: eventsAtOnce });
    const last = scanned.at(-1);
    if (!last) return;
    const ids = scanned.filter(({ matches }) => matches === 1).map(({ id }) => id);
    const to = { epoch, position: last.position, id: last.id };
    const rows = weeklyCounts(await listEventsById(storage.reader, ids));
    if (!(await store(registry, { from, to, rows })) || scanned.length < eventsAtOnce) return;
    from = to;
  }
}

/** Another process may begin at the same time. */
async function begin(registry: Registry): Promise<CountedEventsRow> {
  const { storage, epoch, now } = registry;
  const first = await findFirstEvent(storage.reader, {});
  const isYoung = first === null || first.occurred_at >= beginOfWeek(weekAt(now()) - weeksShown + 1);
  const { position, id } = (isYoung ? null : await findFeedEnd(storage)) ?? feedStart;
  await storage.write(async (transaction) => {
    await deleteForeignCountedEvents(transaction, { epoch });
    await transaction.insertNew('counted_events', [{ epoch, position, id }]);
  });
  return (await findCountedEvents(storage.reader, { epoch })) ?? begin(registry);
}

/** The counts of each week: of all apps together, and of each of them. */
function weeklyCounts(events: EventRow[]): WeeklyInstallationsRow[] {
  const rows = new Map<string, WeeklyInstallationsRow>();
  for (const { type, occurred_at: at, app_id: appId } of events) {
    const week = weekAt(at);
    for (const id of [allApps, ...(appId === null ? [] : [appId])]) {
      const key = `${week} ${id}`;
      const row = rows.get(key) ?? { week, app_id: id, created: 0, deleted: 0 };
      row[countedTypes[type as keyof typeof countedTypes]] += 1;
      rows.set(key, row);
    }
  }
  // In one order, so that no two transactions wait for each other.
  return [...rows.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

interface Step {
  from: CountedEventsRow;
  to: CountedEventsRow;
  rows: WeeklyInstallationsRow[];
}

/** Returns false if another process has counted these events. */
async function store({ storage, now }: Registry, { from, to, rows }: Step): Promise<boolean> {
  return storage.write(async (transaction) => {
    const moved = await moveCountedEvents(transaction, { ...to, fromPosition: from.position, fromId: from.id });
    if (moved === 0) return false;
    await Promise.all(rows.map((row) => addWeeklyInstallations(transaction, row)));
    await deleteWeeklyInstallationsOfApps(transaction, { before: weekAt(now()) - weeksCompared + 1 });
    return true;
  });
}
