import type { Registry } from '../../../server/src/registry/registry.ts';
import { firstIdAt } from '../../../server/src/registry/type-id.ts';
import { insertEventArchive } from '../../../server/src/storage/queries/event-archives.ts';
import { deleteEvents, listEventsOfApp } from '../../../server/src/storage/queries/events.ts';
import type { Connection } from '../../../server/src/storage/query.ts';
import type { EventRow } from '../../../server/src/storage/tables.ts';

/** Makes the events of an app as releases before schema version 8 stored them: without the revisions that they made. */
export function makeEventsEarlier(
  { storage }: Registry,
  appId: string,
  isEarlier = (_: EventRow) => true,
): Promise<void> {
  return storage.write(async (transaction) => {
    for (const event of (await listEventsOfApp(transaction, { appId })).filter(isEarlier)) {
      const [before, after] = [withoutRevision(event, event.before), withoutRevision(event, event.after)];
      await setData(transaction, { ...event, before, after });
    }
  });
}

/** They stored one where an import changed nothing else, or a transfer the logo. */
function withoutRevision({ type, before }: EventRow, text: string | null): string | null {
  if (text === null) return null;
  const { revisionStamp: _, ...data } = JSON.parse(text);
  const isStored = type === 'app.transferred' || (type === 'app.updated' && !hasContent(before));
  if (!isStored) delete data.revision;
  return JSON.stringify(data);
}

function hasContent(before: string | null): boolean {
  return ['name', 'logoId', 'listingInfo', 'oauthInfo'].some((field) => field in JSON.parse(before ?? '{}'));
}

function setData(connection: Connection, { id, before, after }: EventRow): Promise<number> {
  return connection.run(connection.builder.updateTable('events').set({ before, after }).where('id', '=', id).compile());
}

/** Removes the first events of an app, as if an archive had them. */
export function archiveFirstEvents({ storage }: Registry, appId: string, count: number): Promise<void> {
  return storage.write(async (transaction) => {
    const events = (await listEventsOfApp(transaction, { appId })).slice(0, count);
    const last = events.at(-1);
    if (!last) return;
    await deleteEvents(
      transaction,
      events.map(({ id }) => id),
    );
    const { builder } = transaction;
    await transaction.run(builder.deleteFrom('event_archives').compile());
    await insertEventArchive(transaction, {
      number: 1,
      id: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11',
      sha256: '0'.repeat(64),
      events: count,
      // So that no list of events begins before it.
      last_event_id: firstIdAt('event', 0),
      last_occurred_at: Math.max(...events.map((event) => event.occurred_at)),
      state: 'archived',
      moved: count,
      created_at: last.occurred_at,
    });
  });
}
