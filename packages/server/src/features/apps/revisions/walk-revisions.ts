import type { Reader } from '../../../storage/statement.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import type { EventData } from '../../events/event.ts';
import { lastId } from '../../events/event-queries.ts';
import { contentIn } from '../app-content.ts';
import { appContentFields, contentValue } from '../app-content-fields.ts';
import { type ContentEventRow, contentEventsMax, listContentEventsBefore } from './content-event-queries.ts';

/** A revision of an app's content, as reconstructed from events. */
export interface WalkedRevision<Content extends Partial<AppContent> = AppContent> {
  revision: number;
  /** The random part of its tag; null when its event is archived. */
  stamp: string | null;
  content: Content;
  /** The logo, or the copy of it that the present developer has got with the app. */
  logoId: string | null;
  /** The event that has made it; null when that is archived. */
  event: ContentEvent | null;
  /** When the next revision was made; null for the current one. */
  nextAt: number | null;
}

/** Where a walk begins: at the revision before an event, or at the current one. */
export interface WalkStart<Content extends Partial<AppContent>>
  extends Omit<WalkedRevision<Content>, 'event' | 'logoId'> {
  beforeEvent?: string;
}

/** The walk through all revisions of an app. */
export function currentRevision(app: AppRow): WalkStart<AppContent> {
  return { revision: app.revision, stamp: app.revision_stamp, content: contentIn(app), nextAt: null };
}

/**
 * The revisions of an app from the newest to its creation, in constant memory: each event leads to the content before it.
 * Ends early where events are archived, then with a revision without an event; and where an event does not fit, so that no
 * content has the wrong number. The row of the app must be of the same moment as the events.
 */
export async function* walkRevisions<Content extends Partial<AppContent>>(
  reader: Reader,
  appId: string,
  start: WalkStart<Content>,
): AsyncGenerator<WalkedRevision<Content>> {
  const { beforeEvent, ...first } = start;
  let next: WalkStart<Content> = first;
  const copies = new Map<string, string>();
  const withLogo = (revision: WalkStart<Content>) => ({ ...revision, logoId: latestCopy(copies, revision.content) });
  for await (const event of contentEvents(reader, appId, beforeEvent)) {
    if (!isMadeBy(next, event)) {
      if (next.nextAt === null) break;
      return;
    }
    yield { ...withLogo(next), stamp: event.stamp, event };
    if (event.isCreation) return;

    if (event.isTransfer) recordCopy(copies, event);
    const content = { ...next.content, ...event.before };
    next = { revision: event.previousRevision, stamp: null, content, nextAt: event.at };
  }
  yield { ...withLogo(next), event: null };
}

function isMadeBy(
  { revision, content }: Pick<WalkedRevision<Partial<AppContent>>, 'revision' | 'content'>,
  event: ContentEvent,
) {
  if (event.revision !== revision) return false;
  return Object.entries(event.after).every(
    ([column, value]) => !(column in content) || Reflect.get(content, column) === value,
  );
}

function recordCopy(copies: Map<string, string>, { before, after }: ContentEvent): void {
  if (before.logo_id && after.logo_id) copies.set(before.logo_id, copies.get(after.logo_id) ?? after.logo_id);
}

function latestCopy(copies: Map<string, string>, { logo_id: id }: Partial<AppContent>): string | null {
  return id ? (copies.get(id) ?? id) : null;
}

/** A revision that an event records. */
interface ContentEvent {
  id: string;
  at: number;
  actor: string;
  isCreation: boolean;
  isTransfer: boolean;
  revision: number;
  /** The random part of its tag. */
  stamp: string;
  /** The revision before it. An import and a transfer may skip numbers. */
  previousRevision: number;
  /** The changed columns before and after. */
  before: Partial<AppContent>;
  after: Partial<AppContent>;
}

/**
 * The events that made revisions of an app before an event, from the newest to its creation, read in batches. Others, of
 * imports that changed no content, are left out.
 */
async function* contentEvents(reader: Reader, appId: string, before = lastId): AsyncGenerator<ContentEvent> {
  for (let next = before; ; ) {
    const rows = await listContentEventsBefore(reader, { appId, before: next });
    for (const row of rows) {
      const event = readContentEvent(row);
      if (!event) continue;
      yield event;
      // What precedes it was of an app that is purged, and imported again under its id.
      if (event.isCreation) return;
    }
    const oldest = rows.at(-1);
    if (!oldest || rows.length < contentEventsMax) return;
    next = oldest.id;
  }
}

function readContentEvent(row: ContentEventRow): ContentEvent | null {
  const [before, after] = [dataOf(row.before), dataOf(row.after)];
  const { revision, revisionStamp: stamp } = after;
  if (revision === undefined || stamp === undefined) return null;
  return {
    id: row.id,
    at: row.occurred_at,
    actor: row.actor,
    isCreation: row.type === 'app.created',
    isTransfer: row.type === 'app.transferred',
    revision,
    stamp,
    previousRevision: before.revision ?? revision - 1,
    before: columnsIn(before),
    after: columnsIn(after),
  };
}

type Data = Partial<EventData['app.created']['after'] & EventData['app.updated']['after']>;

function dataOf(text: string | null): Data {
  return text === null ? {} : JSON.parse(text);
}

function columnsIn(data: Data): Partial<AppContent> {
  const values = appContentFields.map((field) => [field.column, contentValue(data as never, field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
