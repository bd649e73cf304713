import { dateTime } from '../../../kernel/date-time.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { Reader } from '../../../storage/statement.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { findArchivesSince } from './content-event-queries.ts';

/** The archives that may hold the earlier history of an app. */
export interface ArchivedHistory {
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

export function revisionArchived(
  what: string,
  { firstArchive, lastArchive, lastOccurredAt }: ArchivedHistory,
): Failure {
  const which =
    firstArchive === lastArchive
      ? `archive ${lastArchive}`
      : `archives ${lastArchive} to ${firstArchive}, in this order and as far as needed`;
  return new Failure(
    'revision_archived',
    `${what} is in events up to ${dateTime(lastOccurredAt)} that are archived in files. Restore ${which}, with "app-registry event restore FILE", then try again.`,
  );
}
