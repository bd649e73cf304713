import { appContentFields, contentValue } from '../../contract/app-content-fields.ts';
import type { EventData } from '../../contract/event.ts';
import { lastId } from '../../storage/queries/events.ts';
import {
  type ContentEventRow,
  contentEventsMax,
  listContentEventsBefore,
} from '../../storage/queries/history/content-events.ts';
import type { Reader } from '../../storage/statement.ts';
import type { AppContent } from '../../storage/tables.ts';

/** The content change that an event records. */
export interface ContentEvent {
  id: string;
  at: number;
  actor: string;
  isCreation: boolean;
  isTransfer: boolean;
  /** Whether it has made a revision. Other changes of an import, or of the owner, have not. */
  isRevision: boolean;
  /** The revision that it has made; undefined in an event of an earlier release. */
  revision: number | undefined;
  stamp: string | null;
  /** The revision before; undefined in an event of an earlier release. */
  previousRevision: number | undefined;
  /** Whether such an event has increased the number by one: only the import of an earlier release may have skipped some. */
  isNext: boolean;
  /** The changed columns before and after. */
  before: Partial<AppContent>;
  after: Partial<AppContent>;
}

/** The events of an app's content before an event, from the newest to its creation, read in batches. */
export async function* contentEvents(reader: Reader, appId: string, before = lastId): AsyncGenerator<ContentEvent> {
  for (let next = before; ; ) {
    const rows = await listContentEventsBefore(reader, { appId, before: next });
    for (const row of rows) {
      const event = readContentEvent(row);
      yield event;
      // What precedes it was of an app that is purged, and imported again under its id.
      if (event.isCreation) return;
    }
    const oldest = rows.at(-1);
    if (!oldest || rows.length < contentEventsMax) return;
    next = oldest.id;
  }
}

function readContentEvent(row: ContentEventRow): ContentEvent {
  const [before, after] = [dataOf(row.before), dataOf(row.after)];
  const isCreation = row.type === 'app.created';
  // Earlier releases create every app at revision 1, but do not say at which one they import an app.
  const isFirst = isCreation && after.reviewStatus === undefined;
  const revision = after.revision ?? (isFirst ? 1 : undefined);
  const changed = columnsIn(before);
  const isRevision = isCreation || revision !== undefined || Object.keys(changed).length > 0;
  return {
    id: row.id,
    at: row.occurred_at,
    actor: row.actor,
    isCreation,
    isTransfer: row.type === 'app.transferred',
    isRevision,
    revision,
    stamp: after.revisionStamp ?? null,
    previousRevision: before.revision ?? (revision === undefined ? undefined : revision - 1),
    isNext: row.type !== 'app.updated' || row.actor !== 'command-line',
    before: changed,
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
