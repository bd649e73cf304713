import type { Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { AppRow, DeletedAppRow, DeveloperRow, SearchTextRow } from '../../../storage/tables.ts';
import { appContentFields, appOfDeleted, searchKey } from '../app-content.ts';
import { comparisonKeyRows } from './comparison-keys.ts';
import { urlHost } from './hosts.ts';
import {
  deleteMarks,
  findLastMark,
  listMarks,
  listProjectedRows,
  lockProjections,
  marksMax,
  type ProjectedRows,
  type Projections,
  raiseMarks,
  replaceProjections,
} from './projection-queries.ts';

/*
 * Two tables are projections of apps and developers: `search_texts`, which operators search, and `app_comparison_keys`,
 * the names and hosts by which apps are compared. A change does not write them. It marks its app or developer, and a
 * reader of a projection first catches up with the marks, so that nothing is stale for it (decision record 0010).
 */

/** The pass of each storage that works or waits last. */
const passes = new WeakMap<Storage, Promise<void>>();

/**
 * Brings the projections up to date with everything that was committed before the call, by any process. Call it before
 * reading one. Costs one lookup while nothing is marked.
 */
export async function catchUp({ storage }: Pick<Registry, 'storage'>): Promise<void> {
  // What is marked later does not prolong it.
  const until = await findLastMark(storage.reader);
  if (until === null) return;
  // One after another: each that waits for the lock of PostgreSQL would take a connection from the writes.
  const earlier = passes.get(storage) ?? Promise.resolve();
  const pass = earlier.catch(() => {}).then(() => processMarks(storage, until));
  passes.set(storage, pass);
  await pass;
}

async function processMarks(storage: Storage, until: string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    after = await storage.write((transaction) => processSome(transaction, storage.engine, { after: from, until }));
  }
}

/** Returns the id after which to go on; undefined if none is left. */
async function processSome(
  transaction: Connection,
  engine: Storage['engine'],
  range: { after: string; until: string },
): Promise<string | undefined> {
  await lockProjections(transaction, engine);
  const marks = await listMarks(transaction, range);
  if (marks.length === 0) return undefined;
  const ids = marks.map((one) => one.subject_id);
  await Promise.all([project(transaction, engine, ids), deleteMarks(transaction, engine, marks)]);
  return marks.length < marksMax ? undefined : marks.at(-1)?.subject_id;
}

/** Inside a write that has locked the projections: makes those of apps and developers again, also of deleted ones. */
export async function project(transaction: Connection, engine: Storage['engine'], ids: string[]): Promise<void> {
  // Read after the marks: a row is at least as new as its mark.
  const rows = await listProjectedRows(transaction, engine, ids);
  await replaceProjections(transaction, engine, { ids, ...makeProjections(rows) });
}

/**
 * Inside the write that inserts apps or developers: stores their projections, without the lock. An import does so, because
 * the next reader would have to wait for all of its marks. No other process can see these rows yet. Only the id of a purged
 * app may still be marked, and keeps its mark.
 */
export async function projectNew(
  transaction: Connection,
  engine: Storage['engine'],
  rows: Partial<ProjectedRows>,
): Promise<void> {
  const ids = projectedIds(rows);
  if (ids.length === 0) return;
  await raiseMarks(transaction, engine, ids);
  await replaceProjections(transaction, engine, { ids, ...makeProjections(rows) });
}

/** The ids of apps and developers. */
export function projectedIds({ apps = [], deletedApps = [], developers = [] }: Partial<ProjectedRows>): string[] {
  return [...[...apps, ...deletedApps].map(({ id }) => id), ...developers.map((row) => row.user_id)];
}

/** The projections of apps and developers. */
export function makeProjections({ apps = [], deletedApps = [], developers = [] }: Partial<ProjectedRows>): Projections {
  const existing = new Set(apps.map(({ id }) => id));
  return {
    texts: [
      ...apps.map((app) => ({ ...emptyText(app.id), name: nameText(app), hosts: hostsText(app) })),
      ...deletedApps.filter(({ id }) => !existing.has(id)).map(deletedText),
      ...developers.map((row) => ({ ...emptyText(row.user_id), person: personText(row) })),
    ],
    comparisonKeys: apps.flatMap(comparisonKeyRows),
  };
}

function emptyText(id: string): SearchTextRow {
  return { subject_id: id, name: null, hosts: null, person: null };
}

/** A row that cannot be read has no texts: `check` reports it, and nothing else may fail because of it. */
function deletedText(row: DeletedAppRow): SearchTextRow {
  try {
    return { ...emptyText(row.id), name: nameText(appOfDeleted(row)) };
  } catch {
    return emptyText(row.id);
  }
}

function nameText({ name_key: current, approved_name_key: approved }: AppRow): string {
  return searchText([current, ...(approved === null || approved === current ? [] : [approved])].map(searchKey));
}

const searchedUrls = appContentFields.filter((field) => field.searchedAs === 'host').map(({ column }) => column);

function hostsText(app: AppRow): string | null {
  const hosts = searchedUrls.flatMap((column) => urlHost(app[column] ?? '')?.name ?? []);
  return hosts.length === 0 ? null : searchText([...new Set(hosts)]);
}

function personText({ email, first_name: first, last_name: last }: DeveloperRow): string {
  return searchText([email, first, last].filter((part) => part !== null).map(searchKey));
}

/** A space before each word, by which its start is found, and two at the end, so that each character begins a trigram. */
function searchText(words: string[]): string {
  return `${words.map((word) => ` ${word}`).join('')}  `;
}
