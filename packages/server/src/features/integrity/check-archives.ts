import type { Reader } from '../../storage/query.ts';
import type { EventArchiveRow } from '../../storage/tables.ts';
import { type ArchiveFile, type ArchiveSummary, archiveBatchMax, readArchive } from '../events/archive/archive-file.ts';
import { findEventArchive, findLastEventArchive } from '../events/archive/event-archive-queries.ts';
import { listExistingEvents } from '../events/event-queries.ts';
import type { Finding } from './check-row.ts';

/**
 * Checks files of archived events: each is intact, they follow each other without a gap up to the last archive that the
 * database knows, and each event is either in its file or in the database. Throws `ArchiveRefused` for a damaged file.
 */
export async function archiveFindings(reader: Reader, files: ArchiveFile[]) {
  const numbers: number[] = [];
  const findings: Finding[] = [];
  let events = 0;
  for (const file of files) {
    const { summary, existing } = await readWith(reader, file);
    const row = await findEventArchive(reader, { number: summary.number });
    numbers.push(summary.number);
    events += summary.events;
    const isKnown = row?.id === summary.id && row.sha256 === summary.sha256;
    const foreign = finding(file, 'The file is not the archive with this number of this registry.');
    findings.push(...(isKnown ? movedFindings(file, row, existing) : [foreign]));
  }
  findings.push(...(await gapFindings(reader, numbers)));
  return { events, findings };
}

async function readWith(reader: Reader, file: ArchiveFile): Promise<{ summary: ArchiveSummary; existing: number }> {
  let existing = 0;
  const reading = readArchive(file, archiveBatchMax);
  for (;;) {
    const step = await reading.next();
    if (step.done) return { summary: step.value, existing };
    const ids = step.value.events.map(({ id }) => id);
    existing += (await listExistingEvents(reader, ids)).length;
  }
}

function movedFindings(file: ArchiveFile, { state, events, moved }: EventArchiveRow, existing: number): Finding[] {
  const expected = { archived: 0, deleting: events - moved, restoring: existing }[state];
  if (existing === expected) return [];
  return [finding(file, `The database holds ${existing} of its events, and should hold ${expected}.`)];
}

async function gapFindings(reader: Reader, numbers: number[]): Promise<Finding[]> {
  const last = await findLastEventArchive(reader, {});
  const first = Math.min(...numbers);
  const missing = [];
  for (let number = first; number <= (last?.number ?? 0); number += 1) {
    if (!numbers.includes(number)) missing.push(number);
  }
  return missing.map((number) => ({
    pointer: `/event_archives/${number}`,
    code: 'not_found',
    detail: 'The file of this archive was not given, so the events have a gap.',
  }));
}

function finding({ name }: ArchiveFile, detail: string): Finding {
  return { pointer: `/event_archives/${name}`, code: 'not_allowed', detail };
}
