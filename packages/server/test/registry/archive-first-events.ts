import { insertEventArchive } from '../../src/features/events/archive/event-archive-queries.ts';
import { deleteEvents, listEventsOfApp } from '../../src/features/events/event-queries.ts';
import { firstIdAt } from '../../src/kernel/ids.ts';
import type { Registry } from '../../src/kernel/registry.ts';

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
