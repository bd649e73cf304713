import type { Reader } from '../../../storage/statement.ts';
import type { AppContent } from '../../../storage/tables.ts';
import type { EventData } from '../../events/event.ts';
import { lastId } from '../../events/event-queries.ts';
import { appContentFields, contentValue } from '../app-content-fields.ts';
import { type ContentEventRow, contentEventsMax, listContentEventsBefore } from './content-event-queries.ts';

/** A revision that an event records. */
export interface ContentEvent {
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
export async function* contentEvents(reader: Reader, appId: string, before = lastId): AsyncGenerator<ContentEvent> {
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
