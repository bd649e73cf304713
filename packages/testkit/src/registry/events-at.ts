import { firstIdAt } from '../../../server/src/kernel/ids.ts';
import type { EventRow } from '../../../server/src/storage/tables.ts';

/** Rows of events of one moment, in the order of their ids. Each sets a description of so many characters. */
export function eventsAt(time: number, { count, characters }: { count: number; characters: number }): EventRow[] {
  const after = JSON.stringify({ longDescription: 'x'.repeat(characters) });
  return Array.from({ length: count }, (_, at) => ({
    id: `${firstIdAt('event', time).slice(0, -6)}${String(at).padStart(6, '0')}`,
    type: 'app.updated',
    occurred_at: time,
    app_id: 'app_1',
    subject_id: 'app_1',
    actor: 'command-line:demo',
    request_id: null,
    traceparent: null,
    before: null,
    after,
    details: null,
    effective: null,
    reason: null,
  }));
}
