import type { Registry } from '../../kernel/registry.ts';
import type { Reader, Snapshot } from '../../storage/query.ts';
import { planByIndex } from '../../storage/row-pages.ts';
import { checkSchema, type LateSequence, lateSequences } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import type { ArchiveFile } from '../events/archive/archive-file.ts';
import { archiveFindings } from './check-archives.ts';
import { checksBetweenRows, checksOfFewRows } from './check-between-rows.ts';
import type { Finding } from './check-row.ts';
import { type CheckedObjects, rowChecks } from './check-rows.ts';
import {
  type CheckedTable,
  checkedTables,
  type KeyRange,
  lastKey,
  listNextAppCounts,
  listNextKeys,
} from './invariant-queries.ts';

const listedMax = 1_000;
/** The database reads the rows of one range while those of another are checked. */
const rangesAtOnce = 2;

/** How many objects were checked. */
interface CheckedRegistry extends CheckedObjects {
  /** Events in the given archives. */
  archivedEvents?: number;
  /** Only after a rollback: the schema version of a newer app-registry, whose schema this one cannot compare. */
  uncomparedSchemaVersion?: number;
}

/** The schema or the stored rows violate the rules of the registry. */
export class InconsistentRegistry extends Error {
  override readonly name = 'InconsistentRegistry';
  /** The first 1,000. */
  readonly findings: Finding[];

  constructor(count: number, findings: Finding[]) {
    const listed = count > findings.length ? `, of which the first ${findings.length} are listed` : '';
    const total = count === 1 ? 'one inconsistency' : `${count} inconsistencies`;
    super(`The registry has ${total}${listed}. Nothing was changed. Restore a backup, or correct what is listed.`);
    this.findings = findings;
  }
}

/** What to check beside the rows, and what receives the progress. */
interface CheckOptions {
  archives?: ArchiveFile[];
  /** Called repeatedly with the number of objects checked so far. */
  onProgress?: (objects: number) => void;
  /** The rows that are checked at one moment. */
  rangeRows?: RangeRows;
}

/**
 * Checks the registry in constant memory: the schema is that of the migrations, counts equal rows, references exist, logos
 * belong to their developers, ids are TypeIDs of their kind, names have keys and are unique, revisions are consistent,
 * deleted apps can be restored, installations that wait for an approval are disabled, and each object has the event of its
 * creation. Search texts and the names and hosts that apps are compared by are brought up to date first, and are those that
 * their objects lead to. Archives of events, if given, follow each other up to the events in the database. Each range of rows is checked
 * at one moment with all that it refers to, so that changes during the check are never findings (decision record 0025).
 * Throws `InconsistentRegistry` otherwise, and `ArchiveRefused` for a damaged archive.
 */
export async function checkRegistry(
  registry: Registry,
  { archives = [], onProgress = () => {}, rangeRows }: CheckOptions = {},
): Promise<CheckedRegistry> {
  const { storage } = registry;
  const checked: CheckedRegistry = { developers: 0, logos: 0, apps: 0, deletedApps: 0, installations: 0, tokens: 0 };
  const report = () => {
    const { developers, logos, apps, deletedApps, installations, tokens } = checked;
    onProgress(developers + logos + apps + deletedApps + installations + tokens);
  };
  const found = new FindingList();
  const schema = await inSnapshot(storage, (snapshot) => checkSchema(storage, snapshot));
  if (schema.isNewer) checked.uncomparedSchemaVersion = schema.version;
  // One for each object that the migrations would not have created, or would have created differently.
  found.add(schema.differences.map(({ object, ...difference }) => ({ pointer: `/schema/${object}`, ...difference })));
  const late = await lateSequences(storage.reader, storage.engine);
  found.add(late.map(lateSequence));
  // With nothing missing or changed, queries return what was stored.
  if (late.length === 0 && schema.differences.every(({ code }) => code === 'unexpected_object')) {
    if (!schema.isNewer) await catchUp(registry);
    for await (const ofRange of rangesChecked(registry, { checked, report, rangeRows })) found.addList(ofRange);
    for (const check of checksOfFewRows) found.addList(await listed(storage.snapshot(check), report));
    if (archives.length > 0) {
      const { events, findings } = await checkArchives(storage, archives);
      checked.archivedEvents = events;
      found.add(findings);
    }
  }
  if (found.count > 0) throw new InconsistentRegistry(found.count, found.first);
  return checked;
}

function lateSequence({ table, last }: LateSequence): Finding {
  const detail = `The sequence of the table has not reached ${last}, the position of its last row, so new rows are refused. "app-registry migrate" advances it.`;
  return { pointer: `/${table}/position`, code: 'sequence_behind', detail };
}

/** Counts findings, and keeps the first ones. */
class FindingList {
  count = 0;
  readonly first: Finding[] = [];

  add(findings: Finding[]): void {
    this.count += findings.length;
    this.first.push(...findings.slice(0, listedMax - this.first.length));
  }

  addList({ count, first }: FindingList): void {
    this.add(first);
    this.count += count - first.length;
  }
}

async function listed(batches: AsyncIterable<Finding[]>, onBatch: () => void): Promise<FindingList> {
  const list = new FindingList();
  for await (const batch of batches) {
    list.add(batch);
    onBatch();
  }
  return list;
}

/** The findings about each range of each table. */
async function* rangesChecked(
  registry: Registry,
  { checked, report, rangeRows }: { checked: CheckedRegistry; report: () => void; rangeRows?: RangeRows | undefined },
): AsyncGenerator<FindingList, undefined> {
  const { storage } = registry;
  const atOnce = Math.min(rangesAtOnce, storage.snapshotsAtOnce);
  for (const table of checkedTables) {
    const check = (range: KeyRange) =>
      listed(
        storage.snapshot((snapshot) => rangeFindings(snapshot, { registry, checked, table, range })),
        report,
      );
    yield* inOrder(keyRanges(storage.reader, table, rangeRows), atOnce, check);
  }
}

interface RangeWork {
  registry: Registry;
  checked: CheckedRegistry;
  table: CheckedTable;
  range: KeyRange;
}

/** All findings about a range, at one moment. */
async function* rangeFindings(
  snapshot: Snapshot,
  { registry, checked, table, range }: RangeWork,
): AsyncGenerator<Finding[], undefined> {
  await planByIndex(snapshot, registry.storage.engine);
  yield* rowChecks[table]?.(snapshot, { registry, checked, range }) ?? [];
  for (const check of checksBetweenRows[table] ?? []) yield* check(snapshot, range);
}

async function inSnapshot<Result>(storage: Storage, read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
  async function* work(snapshot: Snapshot) {
    yield await read(snapshot);
  }
  for await (const result of storage.snapshot(work)) return result;
  throw new Error('a snapshot yielded nothing');
}

/** Files are read for longer than a snapshot should last: only what seems wrong is read again at one moment. */
async function checkArchives(storage: Storage, archives: ArchiveFile[]) {
  const read = await archiveFindings(storage.reader, archives);
  return read.findings.length === 0 ? read : inSnapshot(storage, (snapshot) => archiveFindings(snapshot, archives));
}

/**
 * Works on so many items at a time, and yields the results in the order of the items. When the consumer stops or work
 * fails, waits for all work that has begun.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, undefined> {
  const begun: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Handled when it is awaited.
      result.catch(() => {});
      begun.push(result);
      if (begun.length < atOnce) continue;
      yield await (begun.shift() as Promise<Result>);
    }
    for (const result of begun) yield await result;
  } finally {
    await Promise.allSettled(begun);
  }
}

/** How many rows a range has at most. */
interface RangeRows {
  /** Of the table of installations. An app is checked with all of its own. */
  installations: number;
  /** Of any other table. */
  others: number;
}

/** Half a second of work at most, unless one app has more installations. */
const defaultRows: RangeRows = { installations: 5_000, others: 1_000 };

/** Ranges that follow each other and hold every key of a table, each with a bounded number of rows. */
export async function* keyRanges(
  reader: Reader,
  table: CheckedTable,
  rowsMax = defaultRows,
): AsyncGenerator<KeyRange, undefined> {
  let low = '';
  while (low !== lastKey) {
    const high: string | undefined = await highestNext(reader, { table, low }, rowsMax);
    yield { low, high: high ?? lastKey };
    low = high ?? lastKey;
  }
}

/** The last key of the next range; undefined if that is the last range. */
async function highestNext(
  reader: Reader,
  { table, low }: { table: CheckedTable; low: string },
  { installations: installationsMax, others }: RangeRows,
): Promise<string | undefined> {
  if (table !== 'apps') {
    const limit = table === 'installations' ? installationsMax : others;
    return (await listNextKeys(reader, { table, low, limit }))[limit - 1];
  }
  const apps = await listNextAppCounts(reader, { low, limit: others });
  let installations = 0;
  for (const { id, installation_count: count } of apps) {
    if (installations >= installationsMax) return id;
    installations += count;
  }
  return apps[others - 1]?.id;
}
