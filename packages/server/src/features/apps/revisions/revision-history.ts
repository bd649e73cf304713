import { appNotFound, Failure } from '../../../kernel/failure.ts';
import { requireAppId } from '../../../kernel/ids.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { isNamed, type RevisionName } from '../../../kernel/revision.ts';
import { dateTime } from '../../../kernel/text.ts';
import type { Reader, Snapshot } from '../../../storage/query.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import type { EventData } from '../../events/event.ts';
import {
  type ContentEventRow,
  contentEventsMax,
  findArchivesSince,
  lastId,
  listContentEventsBefore,
} from '../../events/event-queries.ts';
import { appContentFields, approvedContent, changedContentColumns, contentIn, contentValue } from '../app-content.ts';
import { findApp } from '../app-queries.ts';

/** Reads an app and its events at one moment. Refuses with `app_not_found`. */
export async function readHistory<Result>(
  { storage }: Registry,
  appId: string,
  read: (snapshot: Snapshot, app: AppRow) => Promise<Result>,
): Promise<Result> {
  requireAppId(appId);
  const results = storage.snapshot(async function* (snapshot) {
    const app = await findApp(snapshot, { id: appId });
    if (!app) throw appNotFound();
    yield await read(snapshot, app);
  });
  for await (const result of results) return result;
  throw new Error('a snapshot has ended without a result');
}

/** A revision of an app's content. */
export interface AppRevision {
  revision: number;
  /** The random part of its tag; null when its event is archived, unless it is the current or the approved one. */
  revisionNonce: string | null;
  content: AppContent;
  /** Its logo, or the copy of it that the present developer has got with the app. */
  logoId: string | null;
  /** When it was made, by whom and with which event; null when that event is archived, or was never here. */
  at: number | null;
  actor: string | null;
  eventId: string | null;
  /** When the next revision was made; null for the current one, and where it is not known. */
  nextAt: number | null;
}

/**
 * A revision of an app by its number or tag, read from the events. The reader must see the app and its events at one
 * moment: a snapshot, or the transaction that has locked the app. Refuses with `revision_not_found` or `revision_archived`.
 */
export async function findRevision(
  registry: Pick<Registry, 'epoch'>,
  reader: Reader,
  { app, name }: { app: AppRow; name: RevisionName },
): Promise<AppRevision> {
  const number = typeof name === 'number' ? name : Number.parseInt(name, 10);
  if (!(number >= 1 && number <= app.revision)) throw noSuchRevision(name);
  const approved = approvedRevision(registry, app, name);
  let oldest: WalkedRevision | null = null;
  for await (const walked of walkRevisions(reader, app.id, currentRevision(app))) {
    oldest = walked;
    if (walked.revision < number) break;
    const found = toRevision(walked);
    if (!isMeant(registry, { ...found, name })) continue;
    // A transfer has replaced the logo of the approved content by a copy.
    return approved && isSameButLogo(found.content, approved.content)
      ? { ...found, content: approved.content, logoId: approved.logoId }
      : (approved ?? found);
  }
  if (approved) return approved;
  const history = oldest?.event === null ? await archivedHistory(reader, app, oldest) : null;
  throw history && number < (oldest?.revision ?? 0)
    ? revisionArchived(`Revision ${number}`, history)
    : noSuchRevision(name);
}

/** The revision that was current at a time, in milliseconds, with the same reader and refusals. */
export async function findRevisionAt(
  reader: Reader,
  { app, time }: { app: AppRow; time: number },
): Promise<AppRevision> {
  let oldest: WalkedRevision | null = null;
  for await (const walked of walkRevisions(reader, app.id, currentRevision(app))) {
    if (walked.event && walked.event.at <= time) return toRevision(walked);
    oldest = walked;
  }
  if (oldest?.event?.isCreation) throw noRevisionAt(time, oldest.event.at);
  const history = oldest && (await archivedHistory(reader, app, oldest));
  if (!oldest || !history) throw noRevisionAt(time, oldest?.event?.at ?? oldest?.nextAt ?? null);
  if (oldest.event === null && isAfter(history, time)) return toRevision(oldest);
  throw revisionArchived(`The content of the app at ${dateTime(time)}`, history);
}

/** The approved revision as the row has it, also where no event leads to it. */
function approvedRevision(registry: Pick<Registry, 'epoch'>, app: AppRow, name: RevisionName): AppRevision | null {
  const content = approvedContent(app);
  if (!content || app.approved_revision === null) return null;
  const named = { revision: app.approved_revision, revisionNonce: app.approved_revision_nonce, name };
  if (!isMeant(registry, named)) return null;
  const { revision, revisionNonce } = named;
  return {
    revision,
    revisionNonce,
    content,
    logoId: content.logo_id,
    at: null,
    actor: null,
    eventId: null,
    nextAt: null,
  };
}

function isMeant(
  registry: Pick<Registry, 'epoch'>,
  { revision, revisionNonce, name }: Pick<AppRevision, 'revision' | 'revisionNonce'> & { name: RevisionName },
): boolean {
  if (revisionNonce === null) return revision === name;
  return isNamed(registry, { revision, revision_nonce: revisionNonce }, [name]);
}

function toRevision({ event, ...walked }: WalkedRevision): AppRevision {
  return { ...walked, at: event?.at ?? null, actor: event?.actor ?? null, eventId: event?.id ?? null };
}

function isSameButLogo(one: AppContent, other: AppContent): boolean {
  return changedContentColumns(one, other).every((column) => column === 'logo_id');
}

function isAfter({ lastOccurredAt }: ArchivedHistory, time: number): boolean {
  return time >= lastOccurredAt;
}

function noSuchRevision(name: RevisionName): Failure {
  const what = typeof name === 'number' ? `revision ${name}` : `revision with the tag ${JSON.stringify(name)}`;
  return new Failure('revision_not_found', `The app has no ${what}. List its revisions, and choose one of them.`);
}

function noRevisionAt(time: number, since: number | null): Failure {
  const known =
    since === null ? '' : ` Its recorded history begins at ${dateTime(since)}: use that time or a later one.`;
  return new Failure('revision_not_found', `The registry has no content of the app at ${dateTime(time)}.${known}`);
}

/** The archives that may hold the earlier history of an app. */
interface ArchivedHistory {
  firstArchive: number;
  lastArchive: number;
  /** The latest time of their events. */
  lastOccurredAt: number;
}

/** Null when nothing of the app can be archived. `nextAt` is the time of its oldest change that is not. */
export async function archivedHistory(
  reader: Reader,
  app: AppRow,
  { nextAt }: { nextAt: number | null },
): Promise<ArchivedHistory | null> {
  // The time of creation may be that of an import, but no event of the app is older than its creation here.
  const time = Math.min(app.created_at, nextAt ?? app.created_at);
  const archives = await findArchivesSince(reader, { time });
  if (!archives) return null;
  const { first: firstArchive, last: lastArchive, lastOccurredAt } = archives;
  return { firstArchive, lastArchive, lastOccurredAt };
}

function revisionArchived(what: string, { firstArchive, lastArchive, lastOccurredAt }: ArchivedHistory): Failure {
  const which =
    firstArchive === lastArchive
      ? `archive ${lastArchive}`
      : `archives ${lastArchive} to ${firstArchive}, in this order and as far as needed`;
  return new Failure(
    'revision_archived',
    `${what} is in events up to ${dateTime(lastOccurredAt)} that are archived in files. Restore ${which}, with "app-registry event restore FILE", then try again.`,
  );
}

/** A revision of an app's content, as reconstructed from events. */
export interface WalkedRevision<Content extends Partial<AppContent> = AppContent> {
  revision: number;
  /** The random part of its tag; null when its event is archived. */
  revisionNonce: string | null;
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
  return { revision: app.revision, revisionNonce: app.revision_nonce, content: contentIn(app), nextAt: null };
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
    yield { ...withLogo(next), revisionNonce: event.revisionNonce, event };
    if (event.isCreation) return;

    if (event.isTransfer) recordCopy(copies, event);
    const content = { ...next.content, ...event.before };
    next = { revision: event.previousRevision, revisionNonce: null, content, nextAt: event.at };
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
  revisionNonce: string;
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
  const [before, after] = [parseData(row.before), parseData(row.after)];
  const { revision, revisionNonce } = after;
  if (revision === undefined || revisionNonce === undefined) return null;
  return {
    id: row.id,
    at: row.occurred_at,
    actor: row.actor,
    isCreation: row.type === 'app.created',
    isTransfer: row.type === 'app.transferred',
    revision,
    revisionNonce,
    previousRevision: before.revision ?? revision - 1,
    before: columnsIn(before),
    after: columnsIn(after),
  };
}

type Data = Partial<EventData['app.created']['after'] & EventData['app.updated']['after']>;

function parseData(text: string | null): Data {
  return text === null ? {} : JSON.parse(text);
}

function columnsIn(data: Data): Partial<AppContent> {
  const values = appContentFields.map((field) => [field.column, contentValue(data as never, field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
