import { randomUUID } from 'node:crypto';
import { check, throwIfInvalid } from '../../../kernel/check.ts';
import { firstIdAt } from '../../../kernel/ids.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { DateTime, dateTime } from '../../../kernel/text.ts';
import type { EventArchiveRow } from '../../../storage/tables.ts';
import {
  countEventsBefore,
  deleteEvents,
  findFirstEvent,
  findNewestEvent,
  listEventsById,
  listExistingEvents,
  streamEventsBefore,
} from '../event-queries.ts';
import { findFirstFedFrom, findFirstIdFedAfter, putFirstInFeed } from '../feed/event-feed-queries.ts';
import {
  type ArchiveFile,
  ArchiveRefused,
  type ArchiveSummary,
  archiveBytes,
  readVerified,
  verifyArchive,
} from './archive-file.ts';
import {
  deleteEventArchive,
  findEventArchive,
  findFirstDeliveredEvent,
  findFirstEventSince,
  findFirstUndecidedEvent,
  findLastEventArchive,
  insertEventArchive,
  updateEventArchive,
} from './event-archive-queries.ts';

interface ArchiveInput {
  file: ArchiveFile;
  /** A time: only older events are archived. */
  before: string;
  /** Receives the progress, from 0 to 1. */
  onProgress?: (part: number) => void;
}

interface ArchivedEvents {
  /** Counts from 1; absent when there was nothing to archive, and no file was created. */
  archive?: number;
  /** How many events the file holds. */
  events: number;
  lastEventId?: string;
  stoppedAt: Pick<ArchiveStop, 'reason' | 'detail'>;
}

/**
 * Moves the oldest events to a file: writes the file, then deletes its events in small transactions that record their
 * progress. Repeated with the same file, it continues where it was interrupted. Refuses with `ArchiveRefused`.
 */
export async function archiveEvents(registry: Registry, input: ArchiveInput): Promise<ArchivedEvents> {
  const { file } = input;
  const stop = await findArchiveStop(registry, readTime(input.before));
  const stoppedAt = { reason: stop.reason, detail: stop.detail };
  if (!(await file.exists())) {
    await requireFinished(registry);
    const first = await findFirstEvent(registry.storage.reader, {});
    if (!first || first.id >= stop.eventId) return { events: 0, stoppedAt };
    await writeArchive(registry, input, stop);
  }
  // Read back, so that only events that the file holds are deleted.
  const { digests, ...summary } = await verifyArchive(file);
  const known = await findEventArchive(registry.storage.reader, summary);
  if (known?.sha256 !== summary.sha256) await requireStored(registry, file, digests);
  const archive = await registerArchive(registry, file, summary);
  await deleteArchived(registry, input, { archive, digests });
  return { archive: summary.number, events: summary.events, lastEventId: summary.last_event_id, stoppedAt };
}

function readTime(before: string): number {
  if (check(DateTime, before) === null) return Date.parse(before);
  const detail = 'The value must be a UTC time such as 2026-03-01T09:30:00.000Z.';
  throwIfInvalid([{ pointer: '/before', code: 'invalid_format', detail }]);
  return Number.NaN;
}

async function requireFinished({ storage }: Registry): Promise<void> {
  const last = await findLastEventArchive(storage.reader, {});
  if (last && last.state !== 'archived') throw unfinished(last);
}

async function writeArchive({ storage }: Registry, { file, onProgress }: ArchiveInput, stop: ArchiveStop) {
  const last = await findLastEventArchive(storage.reader, {});
  const counted = await countEventsBefore(storage.reader, { before: stop.eventId });
  const total = 2 * (counted?.events ?? 0);
  const header = { number: (last?.number ?? 0) + 1, id: randomUUID(), previous: last?.sha256 ?? null };
  const batches = storage.snapshot(async function* (snapshot) {
    let done = 0;
    for await (const rows of streamEventsBefore(snapshot, { before: stop.eventId })) {
      yield rows;
      done += rows.length;
      onProgress?.(done / total);
    }
  });
  await file.create(archiveBytes(header, batches));
}

/** Someone else may have written the file: what it holds is to take the place of what is in the database. */
async function requireStored({ storage }: Registry, file: ArchiveFile, digests: string[]): Promise<void> {
  for await (const rows of readVerified(file, { digests, skipped: 0 })) {
    const ids = rows.map(({ id }) => id);
    if (JSON.stringify(await listEventsById(storage.reader, ids)) !== JSON.stringify(rows)) {
      throw new ArchiveRefused(
        `The events in ${file.name} are not those of the database. Nothing was deleted. Use a new file.`,
      );
    }
  }
}

/** Records the archive before anything of it is deleted, or finds the record of an earlier run. */
async function registerArchive(
  registry: Registry,
  file: ArchiveFile,
  summary: ArchiveSummary,
): Promise<EventArchiveRow> {
  const { number, id, previous, ...end } = summary;
  const stop = await findArchiveStop(registry, Number.MAX_SAFE_INTEGER);
  return registry.storage.write(async (transaction) => {
    const existing = await findEventArchive(transaction, { number });
    if (existing?.id === id && existing.sha256 === end.sha256) {
      if (existing.state === 'restoring') throw unfinished(existing);
      return existing;
    }
    const last = await findLastEventArchive(transaction, {});
    if (number !== (last?.number ?? 0) + 1 || previous !== (last?.sha256 ?? null)) {
      throw new ArchiveRefused(
        `The file ${file.name} is an archive, but not the next one of this registry. Nothing was deleted. Use a new file.`,
      );
    }
    if (last && last.state !== 'archived') throw unfinished(last);
    if (end.last_event_id >= stop.eventId) {
      throw new ArchiveRefused(
        `Events in ${file.name} are needed again. ${stop.detail} Nothing was deleted. Delete the file, and archive again.`,
      );
    }
    const row = { number, id, ...end, state: 'deleting', moved: 0, created_at: registry.now() } as const;
    await insertEventArchive(transaction, row);
    return row;
  });
}

async function deleteArchived(
  { storage }: Registry,
  { file, onProgress }: ArchiveInput,
  { archive, digests }: { archive: EventArchiveRow; digests: string[] },
): Promise<void> {
  if (archive.state === 'archived') return;
  const { number, events } = archive;
  let { moved } = archive;
  for await (const rows of readVerified(file, { digests, skipped: moved })) {
    const before = { state: 'deleting', moved } as const;
    moved += rows.length;
    const state = moved === events ? 'archived' : 'deleting';
    await storage.write(async (transaction) => {
      if ((await updateEventArchive(transaction, { number, state, moved, before })) === 0) throw concurrent();
      const ids = rows.map(({ id }) => id);
      const deleted = await deleteEvents(transaction, ids);
      if (deleted !== rows.length) throw new Error(`archived events are missing in the database: ${file.name}`);
    });
    onProgress?.((events + moved) / (2 * events));
  }
}

function concurrent(): ArchiveRefused {
  return new ArchiveRefused(
    'Another process is archiving or restoring the same events. Wait until it has finished, then repeat the command.',
  );
}

function unfinished({ number, state, created_at: at }: EventArchiveRow): ArchiveRefused {
  const [done, command] = state === 'restoring' ? ['restored', 'restore'] : ['archived', 'archive'];
  return new ArchiveRefused(
    `Archive ${number}, of ${dateTime(at)}, is only partly ${done}. Repeat "event ${command}" with its file first.`,
  );
}

/** Younger events are not archived: a retry of their request may still need them for its response. */
const ageMsMin = 86_400_000;

/** Where archiving stops. */
interface ArchiveStop {
  /** The first event that stays; empty when there is no event. */
  eventId: string;
  reason: 'time_given' | 'too_young' | 'delivery' | 'undecided_change';
  /** Advice for the operator. */
  detail: string;
}

/**
 * The first event that must stay in the database. An event counts as old only when both the clock and the newest event
 * are a day later, so that a wrong clock does not archive recent events. Hence the newest event always stays, and the
 * id of the next one continues from it (decision record 0017).
 */
async function findArchiveStop({ storage, now }: Registry, before: number): Promise<ArchiveStop> {
  const { reader } = storage;
  const newest = await findNewestEvent(reader, {});
  const youngest = Math.min(now(), newest?.occurred_at ?? 0) - ageMsMin;
  const time = Math.min(before, youngest);
  const first = await findFirstEventSince(reader, { firstId: firstIdAt('event', time), time, now: now() });
  const delivered = await findFirstDeliveredEvent(reader, {});
  const undecided = await findFirstUndecidedEvent(reader, {});
  const stops: ArchiveStop[] = [
    {
      eventId: first?.id ?? '',
      ...(before <= youngest
        ? { reason: 'time_given', detail: `Events since ${dateTime(before)} are not archived.` }
        : { reason: 'too_young', detail: 'Events of the last 24 hours are not archived.' }),
    },
  ];
  if (delivered) {
    const detail = `A delivery of the event ${delivered.event_id} is pending or retained. Finished ones are deleted after DELIVERIES_KEPT_DAYS.`;
    stops.push({ eventId: delivered.event_id, reason: 'delivery', detail });
  }
  if (undecided) {
    const detail = `The app ${undecided.app_id} has an undecided change, which begins with the event ${undecided.event_id} or later. Review the app.`;
    stops.push({ eventId: undecided.event_id, reason: 'undecided_change', detail });
  }
  const stop = stops.reduce((first, stop) => (stop.eventId < first.eventId ? stop : first));
  return { ...stop, eventId: await withoutGapInFeed(storage, stop.eventId) };
}

/**
 * Concurrent changes can be ordered differently in the feed than by their ids. Archived events must come first in both
 * orders, so that a reader that continues from a retained event has missed none.
 */
async function withoutGapInFeed(storage: Registry['storage'], stopId: string): Promise<string> {
  if (storage.feedOrder.horizon === null) return stopId;
  for (let eventId = stopId; ; ) {
    const place = await findFirstFedFrom(storage, eventId);
    const earlier = place && (await findFirstIdFedAfter(storage, { place, before: eventId }));
    if (!earlier) return eventId;
    eventId = earlier;
  }
}

/**
 * Restores the events of the last archive under their ids. Repeated, it continues where it was interrupted and restores
 * no event twice. Afterwards the previous archive is the last one. Refuses with `ArchiveRefused`.
 */
export async function restoreArchivedEvents(
  registry: Registry,
  input: Omit<ArchiveInput, 'before'>,
): Promise<{ restored: number }> {
  const { file } = input;
  const { number, id, sha256, digests, last_event_id: eventId } = await verifyArchive(file);
  const last = await findLastEventArchive(registry.storage.reader, {});
  if (last?.id !== id) {
    if ((await listExistingEvents(registry.storage.reader, [eventId])).length > 0) return { restored: 0 };
    throw new ArchiveRefused(
      `The file ${file.name} is archive ${number}, but the last one of this registry is ${last?.number ?? 'none'}. Nothing was changed. Restore the last one first.`,
    );
  }
  // Anyone who changed the file also computed its checksum.
  if (last.sha256 !== sha256) {
    throw new ArchiveRefused(
      `The file ${file.name} was changed after it was archived: its checksum is not the one that the registry stored. Nothing was changed. Use another copy of it.`,
    );
  }
  return { restored: await restoreLast(registry, input, { last, digests }) };
}

async function restoreLast(
  { storage }: Registry,
  { file, onProgress }: Omit<ArchiveInput, 'before'>,
  { last, digests }: { last: EventArchiveRow; digests: string[] },
) {
  const { number, events } = last;
  const { feedOrder } = storage;
  let before: Pick<EventArchiveRow, 'state' | 'moved'> = last;
  let moved = last.state === 'restoring' ? last.moved : 0;
  let restored = 0;
  for await (const rows of readVerified(file, { digests, skipped: moved })) {
    moved += rows.length;
    restored += await storage.write(async (transaction) => {
      if ((await updateEventArchive(transaction, { number, state: 'restoring', moved, before })) === 0) {
        throw concurrent();
      }
      const existing = new Set((await transaction.insertNew('events', rows)).map(({ id }) => id));
      const ids = rows.flatMap(({ id }) => (existing.has(id) ? [] : id));
      await putFirstInFeed(transaction, { feedOrder, ids });
      return ids.length;
    });
    before = { state: 'restoring', moved };
    onProgress?.(moved / events);
  }
  await storage.write((transaction) => deleteEventArchive(transaction, { number }));
  return restored;
}
