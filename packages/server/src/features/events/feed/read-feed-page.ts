import { check, PlatformIds, throwIfInvalid } from '../../../kernel/check.ts';
import { Failure } from '../../../kernel/failure.ts';
import { firstIdAt, isTypeId } from '../../../kernel/ids.ts';
import { invalidCursor, pageLimits, parsed } from '../../../kernel/page.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { DateTime } from '../../../kernel/text.ts';
import { type FeedPlace, feedStart } from '../../../storage/storage.ts';
import { findLastEventArchive } from '../archive/event-archive-queries.ts';
import { requireUnarchivedSince } from '../archived-events.ts';
import { listEventsById } from '../event-queries.ts';
import { type EventFeedPage, type EventFeedQuery, eventView, requireEventTypes } from '../event-query.ts';
import {
  type FeedFilter,
  findFeedEnd,
  findFeedPlace,
  findFirstFedFrom,
  type ScannedEvent,
  scanFeed,
} from './event-feed-queries.ts';

/** How many events one page reads at most to find those that match a filter. */
const scanRowsMax = 1_000;

/** A page, where its events are, and where it ends. */
interface PlacedPage {
  page: EventFeedPage;
  places: FeedPlace[];
  end: FeedPlace;
  /** Whether there was nothing after it. */
  isAtEnd: boolean;
}

/** The next events of the feed, as far as they are readable now. Expects a valid query. */
export async function readFeedPage(registry: Registry, query: Omit<EventFeedQuery, 'wait'>): Promise<PlacedPage> {
  const { limit = pageLimits.default } = query;
  const filter = readFilter(query);
  const start = await findStart(registry, query);
  const rowsMax = isFiltered(filter) ? scanRowsMax : limit + 1;
  const scanned = await scanFeed(registry.storage, { after: start.scan, filter, rowsMax });
  const { matches, last } = firstMatches(scanned, limit);
  const rows = await listEventsById(
    registry.storage.reader,
    matches.map(({ id }) => id),
  );
  // After the events were read: they may be archived meanwhile.
  if (start.isCursor)
    await requireContinuous(registry, { place: start.scan, isComplete: rows.length === matches.length });
  if (start.time !== undefined) await requireUnarchivedSince(registry, start.time, '/since');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const end = last ?? start.end;
  const page = {
    items: matches.flatMap(({ id }) => byId.get(id) ?? []).map(eventView),
    nextCursor: feedCursor(registry, end),
  };
  return { page, places: matches, end, isAtEnd: scanned.length < rowsMax && last === scanned.at(-1) };
}

function readFilter({ type: types, appId, effectiveOnly }: EventFeedQuery): FeedFilter {
  const ids = new PlatformIds();
  const filter = {
    ...(types !== undefined && { types }),
    ...(appId !== undefined && { appId: ids.read(appId, 'app', '/appId') }),
    effectiveOnly,
  };
  requireEventTypes(types ?? [], ids.errors);
  throwIfInvalid(ids.errors);
  return filter;
}

function isFiltered({ types, appId, effectiveOnly }: FeedFilter): boolean {
  return types !== undefined || appId !== undefined || effectiveOnly === true;
}

/** As many matches as fit, and the event after which the next page begins. */
function firstMatches(scanned: ScannedEvent[], limit: number) {
  const matches = scanned.filter(({ matches }) => matches === 1);
  const isCut = matches.length > limit;
  return { matches: matches.slice(0, limit), last: isCut ? matches[limit - 1] : scanned.at(-1) };
}

interface FeedBeginning {
  /** After which place events are read. */
  scan: FeedPlace;
  /** The event at which a page without events ends. */
  end: FeedPlace;
  /** Whether the reader knows everything up to it. */
  isCursor: boolean;
  /** The time from which the reader wants everything. */
  time?: number;
}

async function findStart(
  registry: Registry,
  { cursor, since }: Pick<EventFeedQuery, 'cursor' | 'since'>,
): Promise<FeedBeginning> {
  if (cursor !== undefined) {
    const place = readCursor(registry, cursor);
    return { scan: place, end: place, isCursor: true };
  }
  if (since === undefined) return { scan: feedStart, end: feedStart, isCursor: false };
  const time = check(DateTime, since) === null ? Date.parse(since) : undefined;
  if (since !== 'now' && time === undefined) throwIfInvalid([notSince]);
  const { id, position } = (await findFeedEnd(registry.storage)) ?? feedStart;
  const end = { position, id };
  if (time === undefined) return { scan: end, end, isCursor: false };
  return { scan: await placeOfTime(registry, { time, end }), end, isCursor: false, time };
}

/** Before all events since a time. An id is never older than its event. */
async function placeOfTime(registry: Registry, { time, end }: { time: number; end: FeedPlace }): Promise<FeedPlace> {
  const id = firstIdAt('event', time);
  const first = await findFirstFedFrom(registry.storage, id);
  return first ? { position: first.position, id } : end;
}

/**
 * Refuses a cursor after which events may be missing. The event that it names is stored, at its place, exactly in the
 * history that it was read from: a database that lost it would make others, with random ids (decision record 0017). And
 * what is archived comes first.
 */
async function requireContinuous(
  { storage }: Registry,
  { place, isComplete }: { place: FeedPlace; isComplete: boolean },
): Promise<void> {
  const [stored, archive] = await Promise.all([
    place.id === '' ? feedStart : findFeedPlace(storage, place.id),
    findLastEventArchive(storage.reader, {}),
  ]);
  const isInArchive = archive !== null && place.id <= archive.last_event_id;
  const isStored = stored?.position === place.position;
  const isMoving = isInArchive && (place.id === '' || archive.state !== 'archived');
  if (isStored && isComplete && !isMoving) return;
  if (isInArchive || !isComplete) {
    throw cursorExpired(`Events after this cursor are archived in files, up to ${archive?.last_event_id}.`);
  }
  throw cursorExpired(
    'The database no longer has the event of this cursor. A failover or a recovery may have lost it.',
  );
}

/** A later release reads this version too: a program may have been stopped during an upgrade. */
const cursorVersion = 1;

/** Names the last event that was read, in the database of this epoch. */
export function feedCursor({ epoch }: Pick<Registry, 'epoch'>, { position, id }: FeedPlace): string {
  return Buffer.from(JSON.stringify([cursorVersion, epoch.slice(0, 8), position, id])).toString('base64url');
}

/** Refuses an invalid cursor with `invalid_content`, and one from before a restore with `cursor_expired`. */
function readCursor(registry: Pick<Registry, 'epoch'>, cursor: string): FeedPlace {
  const [, epoch, position, id] = parsed(cursor);
  const isPlace = Number.isSafeInteger(position) && typeof id === 'string' && (id === '' || isTypeId(id, 'event'));
  if (typeof epoch !== 'string' || !isPlace) throw invalidCursor();
  const place = { position: Number(position), id };
  if (feedCursor({ epoch }, place) !== cursor) throw invalidCursor();
  if (feedCursor(registry, place) !== cursor)
    throw cursorExpired('The registry was restored after this cursor was returned.');
  return place.id === '' ? feedStart : place;
}

/** `reason` is a full sentence. */
function cursorExpired(reason: string): Failure {
  return new Failure(
    'cursor_expired',
    `${reason} Read again from an earlier time, such as since=2026-03-01T09:30:00Z, or from the start, and skip the events whose ids you have already processed.`,
  );
}

const notSince: ValidationError = {
  pointer: '/since',
  code: 'invalid_format',
  detail: 'The value must be a UTC time such as 2026-03-01T09:30:00.000Z, or "now".',
};
