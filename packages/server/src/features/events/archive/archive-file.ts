import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { columns, type EventArchiveRow, type EventRow } from '../../../storage/tables.ts';

/** A file of archived events: JSON Lines, compressed with gzip. The registry decides what is in it, not where it is. */
export interface ArchiveFile {
  name: string;
  /** Whether it exists and is complete. Removes a partial file that a killed process left beside it. */
  exists(): Promise<boolean>;
  /** Creates the file: complete and synced, or not at all. Never overwrites one. */
  create(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  read(): AsyncIterable<Uint8Array>;
}

/** The first line. */
interface Header {
  archive: typeof format;
  version: 1;
  number: number;
  id: string;
  /** The SHA-256 of the previous archive; null for the first. */
  previous: string | null;
}

/** The last line. The SHA-256 is of all lines before it. */
type ArchiveEnd = Pick<EventArchiveRow, 'events' | 'last_event_id' | 'last_occurred_at' | 'sha256'>;

/** The summary that an intact file holds. */
export type ArchiveSummary = ArchiveEnd & Pick<Header, 'number' | 'id' | 'previous'>;

/** A summary, and what each batch of the file must be when it is read again. */
export type VerifiedArchive = ArchiveSummary & { digests: string[] };

export interface ArchiveBatch {
  events: EventRow[];
  /** The SHA-256 of the lines up to the last of these events. */
  digest: string;
}

const format = 'app-registry events';

/** The bytes of a file with these events. */
export function archiveBytes(
  header: Omit<Header, 'archive' | 'version'>,
  batches: AsyncIterable<EventRow[]>,
): AsyncIterable<Uint8Array> {
  // If either end fails, the other one ends too. The reader of the bytes gets the error.
  return pipeline(Readable.from(archiveLines(header, batches), { objectMode: false }), createGzip(), () => {});
}

async function* archiveLines(
  header: Omit<Header, 'archive' | 'version'>,
  batches: AsyncIterable<EventRow[]>,
): AsyncGenerator<string> {
  const sha256 = createHash('sha256');
  const hashed = (text: string) => {
    sha256.update(text);
    return text;
  };
  const end = { events: 0, last_event_id: '', last_occurred_at: 0 };
  yield hashed(line({ archive: format, version: 1, ...header } satisfies Header));
  for await (const rows of batches) {
    for (const row of rows) {
      end.events += 1;
      end.last_event_id = row.id;
      end.last_occurred_at = Math.max(end.last_occurred_at, row.occurred_at);
    }
    yield hashed(rows.map((row) => line(row)).join(''));
  }
  yield line({ ...end, sha256: sha256.digest('hex') } satisfies ArchiveEnd);
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Reads a file to its end, yields its events in batches of at most `batchMax`, and returns its summary. Throws
 * `ArchiveRefused` for a file that is not intact; batches yielded before that may be wrong.
 */
export async function* readArchive(file: ArchiveFile, batchMax: number): AsyncGenerator<ArchiveBatch, ArchiveSummary> {
  const sha256 = createHash('sha256');
  let header: Header | undefined;
  let end: ArchiveEnd | undefined;
  let events: EventRow[] = [];
  const digest = () => sha256.copy().digest('hex');
  const seen = { events: 0, last_event_id: '' };
  for await (const text of readLines(file)) {
    const value = parsed(file, text);
    if (end) throw damaged(file, 'it has data after its end');
    if (!header) {
      if (!isHeader(value))
        throw new ArchiveRefused(`The file ${file.name} is not an event archive. Use another file.`);
      header = value;
      sha256.update(`${text}\n`);
    } else if (isEnd(value)) end = value;
    else {
      const row = readEvent(file, value);
      if (row.id <= seen.last_event_id) throw damaged(file, 'its events are out of order');
      seen.events += 1;
      seen.last_event_id = row.id;
      events.push(row);
      sha256.update(`${text}\n`);
      if (events.length === batchMax) {
        yield { events, digest: digest() };
        events = [];
      }
    }
  }
  if (!header || !end) throw damaged(file, 'its end is missing');
  if (end.sha256 !== digest()) throw damaged(file, 'its checksum is wrong');
  if (end.events !== seen.events || end.last_event_id !== seen.last_event_id) throw damaged(file, 'events are missing');
  if (events.length > 0) yield { events, digest: digest() };
  const { number, id, previous } = header;
  return { ...end, number, id, previous };
}

/** Few, so that each transaction is short: an event may have 50 kilobytes. */
export const archiveBatchMax = 200;

/** Reads a file to its end. Throws `ArchiveRefused` for one that is not intact. */
export async function verifyArchive(file: ArchiveFile): Promise<VerifiedArchive> {
  const digests: string[] = [];
  const reading = readArchive(file, archiveBatchMax);
  for (;;) {
    const step = await reading.next();
    if (step.done) return { ...step.value, digests };
    digests.push(step.value.digest);
  }
}

/** The batches of a verified file, without the first events. Throws `ArchiveRefused` if the file was changed since. */
export async function* readVerified(
  file: ArchiveFile,
  { digests, skipped }: { digests: string[]; skipped: number },
): AsyncGenerator<EventRow[]> {
  let read = 0;
  const expected = digests.values();
  for await (const { events, digest } of readArchive(file, archiveBatchMax)) {
    if (digest !== expected.next().value) throw damaged(file, 'it was changed while it was read');
    const rest = events.slice(Math.max(0, skipped - read));
    read += events.length;
    if (rest.length > 0) yield rest;
  }
}

async function* readLines(file: ArchiveFile): AsyncGenerator<string> {
  const text = pipeline(Readable.from(file.read()), createGunzip(), () => {}).setEncoding('utf8');
  let [rest, isFirst] = ['', true];
  try {
    for await (const chunk of text) {
      // A copy that an editor has saved can begin with a byte order mark.
      const lines = `${rest}${isFirst ? chunk.replace(/^\ufeff/, '') : chunk}`.split('\n');
      isFirst = false;
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const isCompression = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isCompression ? damaged(file, 'it cannot be decompressed') : error;
  }
  if (rest !== '') throw damaged(file, 'its last line is incomplete');
}

function parsed(file: ArchiveFile, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw damaged(file, 'a line is not JSON');
}

function isHeader(value: object): value is Header {
  return 'archive' in value && value.archive === format && 'version' in value && value.version === 1;
}

function isEnd(value: object): value is ArchiveEnd {
  return 'sha256' in value;
}

function readEvent(file: ArchiveFile, value: object): EventRow {
  if (columns.events.every((column) => column in value)) return value as EventRow;
  throw damaged(file, 'a line is not an event');
}

function damaged(file: ArchiveFile, why: string): ArchiveRefused {
  return new ArchiveRefused(`The archive ${file.name} is damaged: ${why}. Use another copy of it.`);
}

/**
 * Archiving or restoring events is refused, or a file is not an archive of this registry. The message says what to do.
 */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}
