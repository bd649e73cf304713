import { type RawBuilder, sql } from 'kysely';
import { defineFind, defineList, type Reader } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { type AppRow, columns, type DeletedAppRow, type DeveloperRow } from '../../storage/tables.ts';

export interface TextSearch {
  column: 'name' | 'hosts' | 'person' | 'subject_id';
  /** The text contains all of them, anywhere. At least one; none is empty. */
  parts: readonly string[];
  limit: number;
}

/** A text of an app, also of a deleted one, or of a developer: words with a space before each, and two at the end. */
export interface FoundText {
  subject_id: string;
  text: string;
}

/**
 * Some of the apps or developers whose text contains all parts, in no useful order. The table is written by
 * triggers alone.
 */
export function listSearchTexts(
  { reader, engine }: Pick<Storage, 'reader' | 'engine'>,
  search: TextSearch,
): Promise<FoundText[]> {
  const query = engine === 'sqlite' ? inSqlite(search) : inPostgres(search);
  return reader.rows(query.compile(reader.builder));
}

/** Of a common word beside shorter parts, which FTS5 cannot combine with it, so that no search works for long. */
const readMax = 10_000;

/** FTS5 finds trigrams. A shorter part is found by the trigrams that start with it: each character begins one. */
function inSqlite({ column, parts, limit }: TextSearch): RawBuilder<FoundText> {
  const index = sql.table(`search_by_${column}`);
  const trigrams = parts.flatMap(trigramsOf);
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one));
  const positions =
    trigrams.length > 0
      ? sql`select rowid as position from ${index} where ${index} match ${trigrams.map(quotedForSqlite).join(' AND ')}
          limit ${readMax}`
      : sql`select doc as position from ${sql.table(`search_by_${column}_terms`)}
          where term >= ${longest} and term < ${`${longest}\u{10ffff}`}`;
  const text = sql.ref(`search_texts.${column}`);
  // A cross join keeps its order. Trigrams may be in a text without the part that they make.
  const contains = parts.map((part) => sql`instr(${text}, ${part}) > 0`);
  return sql<FoundText>`select distinct subject_id, ${text} as text from (${positions}) as found
    cross join search_texts on search_texts.position = found.position
    where ${sql.join(contains, sql` and `)} limit ${limit}`;
}

/** The index holds the trigrams of each text, also found by how they start. */
function inPostgres({ column, parts, limit }: TextSearch): RawBuilder<FoundText> {
  const lexemes = parts.flatMap((part) => {
    const trigrams = trigramsOf(part);
    return trigrams.length > 0 ? trigrams.map(quotedForPostgres) : [`${quotedForPostgres(part)}:*`];
  });
  const text = sql.ref(column);
  const contains = parts.map((part) => sql`strpos(${text}, ${part}) > 0`);
  return sql<FoundText>`select subject_id, ${text} as text from search_texts
    where search_trigrams(${text}) @@ ${lexemes.join(' & ')}::tsquery and ${sql.join(contains, sql` and `)}
    limit ${limit}`;
}

/**
 * The fewest trigrams that cover a part, since each one is another list to read. None for fewer than three characters.
 */
function trigramsOf(part: string): string[] {
  const characters = [...part];
  const last = characters.length - 3;
  const places = characters.flatMap((_, at) => (at === last || (at < last && at % 3 === 0) ? [at] : []));
  return places.map((at) => characters.slice(at, at + 3).join(''));
}

function quotedForSqlite(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}

function quotedForPostgres(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** The existing ones of these apps. */
export async function listFoundApps(
  reader: Reader,
  ids: string[],
): Promise<Pick<AppRow, 'id' | 'name' | 'review_status' | 'developer_id'>[]> {
  if (ids.length === 0) return [];
  const apps = reader.builder
    .selectFrom('apps')
    .select(['id', 'name', 'review_status', 'developer_id'])
    .where('id', 'in', ids);
  return reader.rows(apps.compile());
}

/** Those of these apps that were deleted. */
export async function listFoundDeletedApps(reader: Reader, ids: string[]): Promise<DeletedAppRow[]> {
  if (ids.length === 0) return [];
  const apps = reader.builder.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', 'in', ids);
  return reader.rows(apps.compile());
}

/** The existing ones of these developers. */
export async function listFoundDevelopers(reader: Reader, ids: string[]): Promise<DeveloperRow[]> {
  if (ids.length === 0) return [];
  const developers = reader.builder.selectFrom('developers').select(columns.developers).where('user_id', 'in', ids);
  return reader.rows(developers.compile());
}

export interface IdRange {
  first: string;
  last: string;
}

/** Where the ids of objects that a search finds are the leading column of an index. */
const idColumns = {
  app: 'search_texts.subject_id',
  developer: 'search_texts.subject_id',
  installation: 'installations.id',
  logo: 'logos.id',
  webhook: 'webhooks.id',
  token: 'access_tokens.id',
} as const;

/** The first of the ids of this type in a range. */
export async function listIds(
  reader: Reader,
  { type, first, last, limit }: IdRange & { type: keyof typeof idColumns; limit: number },
): Promise<string[]> {
  const [table = '', column = ''] = idColumns[type].split('.');
  const query = sql<{ id: string }>`select ${sql.ref(column)} as id from ${sql.table(table)}
    where ${sql.ref(column)} between ${first} and ${last} order by ${sql.ref(column)} limit ${limit}`;
  return (await reader.rows(query.compile(reader.builder))).map(({ id }) => id);
}

/** The first workspace with installations in a range of ids. */
export const findInstalledWorkspace = defineFind((db, { first, last }: IdRange) =>
  db
    .selectFrom('installations')
    .select('workspace_id')
    .where('workspace_id', '>=', first)
    .where('workspace_id', '<=', last)
    .orderBy('workspace_id')
    .limit(1),
);

export const findLogoOwner = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('logos').select('developer_id').where('id', '=', id),
);

/** Webhooks without their secrets, oldest first. */
export const listWebhookNames = defineList((db, { limit }: { limit: number }) =>
  db.selectFrom('webhooks').select(['id', 'name', 'url']).orderBy('id').limit(limit),
);
