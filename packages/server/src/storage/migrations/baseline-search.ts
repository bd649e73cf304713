import type { ColumnTypes } from './migration.ts';

/**
 * What operators search apps and developers by, indexed by every three characters that follow each other (0047). Triggers
 * keep the texts and their index.
 */
export function search({ engine, text, sequence, tableEnd }: ColumnTypes): string[] {
  const table = `create table search_texts (
    position ${sequence},
    subject_id ${text} not null unique,
    name ${text},
    hosts ${text},
    person ${text}
  )${tableEnd}`;
  if (engine === 'sqlite') return [table, ...searchedColumns.flatMap(indexInSqlite), ...keepInSqlite()];
  const trigrams = searchedColumns.map((column) => `search_trigrams(${column})`).join(', ');
  const index = `create index search_texts_by_trigram on search_texts using gin (${trigrams})`;
  return [table, trigramsInPostgres, jsonInPostgres, ...keepInPostgres(), index];
}

/** The addresses of apps whose hosts are searched. */
const searchedUrls = ['login_url', 'callback_url'];

/** The columns of `search_texts` that are searched: names of apps, hosts of their addresses, and who developers are. */
const searchedColumns = ['name', 'hosts', 'person'] as const;

/**
 * An index for each column, because one that holds hosts too would have to be read past them for a few letters. It stores no text.
 * What is deleted from that of people leaves no trace in it: their records can be erased.
 */
function indexInSqlite(column: (typeof searchedColumns)[number]): string[] {
  const index = `search_by_${column}`;
  const add = `insert into ${index} (rowid, ${column}) values (new.position, new.${column});`;
  const remove = `insert into ${index} (${index}, rowid, ${column}) values ('delete', old.position, old.${column});`;
  return [
    `create virtual table ${index} using fts5(${column}, content='search_texts', content_rowid='position',
      tokenize='trigram case_sensitive 1', detail='none', columnsize=0)`,
    ...(column === 'person' ? [`insert into ${index} (${index}, rank) values ('secure-delete', 1)`] : []),
    // Finds the trigrams that start with a shorter word.
    `create virtual table ${index}_terms using fts5vocab('${index}', 'instance')`,
    `create trigger ${index}_of_new after insert on search_texts when new.${column} is not null begin ${add} end`,
    `create trigger ${index}_of_old after delete on search_texts when old.${column} is not null begin ${remove} end`,
    `create trigger ${index}_of_added after update of ${column} on search_texts
      when old.${column} is null and new.${column} is not null begin ${add} end`,
    `create trigger ${index}_of_removed after update of ${column} on search_texts
      when old.${column} is not null and new.${column} is null begin ${remove} end`,
    `create trigger ${index}_of_changed after update of ${column} on search_texts
      when old.${column} <> new.${column} begin ${remove} ${add} end`,
  ];
}

function keepInSqlite(): string[] {
  const { name, hosts, deletedName } = appTexts.sqlite('new');
  return [
    `create trigger search_texts_of_new_app after insert on apps begin ${storeApp(name, hosts)}; end`,
    `create trigger search_texts_of_app after update of ${searchedOfApps.join(', ')} on apps
      when ${searchedOfApps.map((column) => `new.${column} is not old.${column}`).join(' or ')}
      begin ${storeApp(name, hosts)}; end`,
    `create trigger search_texts_of_old_app after delete on apps begin ${removeUnless('deleted_apps')}; end`,
    `create trigger search_texts_of_deleted_app after insert on deleted_apps begin ${storeApp(deletedName, 'null')}; end`,
    `create trigger search_texts_of_imported_app after update of row on deleted_apps begin ${storeApp(deletedName, 'null')}; end`,
    `create trigger search_texts_of_purged_app after delete on deleted_apps begin ${removeUnless('apps')}; end`,
    `create trigger search_texts_of_new_developer after insert on developers begin ${storeDeveloper}; end`,
    `create trigger search_texts_of_developer after update of ${searchedOfDevelopers.join(', ')} on developers
      begin ${storeDeveloper}; end`,
    `create trigger search_texts_of_old_developer after delete on developers
      begin delete from search_texts where subject_id = old.user_id; end`,
  ];
}

/**
 * Far faster than one expression of SQL. So costly in the eyes of the planner that it uses the index, unless nearly every text
 * matches.
 */
const trigramsInPostgres = `create function search_trigrams(searched text) returns tsvector
  language plpgsql immutable strict parallel safe cost 100000 as $$
  declare
    characters text[] := string_to_array(searched, null);
    trigrams text[] := '{}';
  begin
    for i in 1 .. cardinality(characters) - 2 loop
      trigrams[i] := characters[i] || characters[i + 1] || characters[i + 2];
    end loop;
    return array_to_tsvector(trigrams); end $$`;

const jsonInPostgres = `create function json_or_null(stored text) returns json
  language plpgsql immutable strict as $$
  begin return stored::json; exception when others then return null; end $$`;

function keepInPostgres(): string[] {
  const { name, hosts, deletedName } = appTexts.postgres('new');
  const isChanged = searchedOfApps.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
  return [
    trigger('search_texts_of_app', storeApp(name, hosts)),
    `create trigger search_texts_of_new_app after insert on apps for each row execute function search_texts_of_app()`,
    `create trigger search_texts_of_app after update of ${searchedOfApps.join(', ')} on apps for each row
      when (${isChanged}) execute function search_texts_of_app()`,
    trigger('search_texts_of_old_app', removeUnless('deleted_apps')),
    `create trigger search_texts_of_old_app after delete on apps for each row execute function search_texts_of_old_app()`,
    trigger('search_texts_of_deleted_app', storeApp(deletedName, 'null')),
    `create trigger search_texts_of_deleted_app after insert or update of row on deleted_apps for each row
      execute function search_texts_of_deleted_app()`,
    trigger('search_texts_of_purged_app', removeUnless('apps')),
    `create trigger search_texts_of_purged_app after delete on deleted_apps for each row
      execute function search_texts_of_purged_app()`,
    trigger('search_texts_of_developer', storeDeveloper),
    `create trigger search_texts_of_developer after insert or update of ${searchedOfDevelopers.join(', ')} on developers
      for each row execute function search_texts_of_developer()`,
    trigger('search_texts_of_old_developer', 'delete from search_texts where subject_id = old.user_id'),
    `create trigger search_texts_of_old_developer after delete on developers for each row
      execute function search_texts_of_old_developer()`,
  ];
}

function trigger(name: string, statement: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`;
}

/** The columns that the texts are made of. An update that leaves them as they are costs their comparison. */
const searchedOfApps = ['name_key', 'approved_name_key', ...searchedUrls];
const searchedOfDevelopers = ['email', 'first_name', 'last_name'];

/** What exists by then is older: of the app before it was deleted. */
function storeApp(name: string, hosts: string): string {
  return `insert into search_texts (subject_id, name, hosts) values (new.id, ${name}, ${hosts})
    on conflict (subject_id) do update set name = excluded.name, hosts = excluded.hosts`;
}

const storeDeveloper = `insert into search_texts (subject_id, person) values (new.user_id, ${personText('new')})
  on conflict (subject_id) do update set person = excluded.person`;

/** An app is deleted and restored by a row in each table, in either order. */
function removeUnless(other: 'apps' | 'deleted_apps'): string {
  return `delete from search_texts where subject_id = old.id and not exists (select 1 from ${other} where id = old.id)`;
}

/**
 * Expressions for the texts of a row: a space before each word, by which the start of a word is found, and two at the end, so that
 * each character begins a trigram.
 */
interface AppTexts {
  /** The current name, and the approved one if that is another. */
  name: string;
  hosts: string;
  /** Of a row of `deleted_apps`. */
  deletedName: string;
}

export const appTexts: Record<'sqlite' | 'postgres', (row: string) => AppTexts> = {
  sqlite: (row) => ({
    name: nameText(`${row}.name_key`, `${row}.approved_name_key`),
    hosts: hostsText(searchedUrls.map((column) => sqliteHost(`${row}.${column}`))),
    deletedName: nameText(sqliteField(row, 'name_key'), sqliteField(row, 'approved_name_key')),
  }),
  postgres: (row) => ({
    name: nameText(`${row}.name_key`, `${row}.approved_name_key`),
    hosts: hostsText(searchedUrls.map((column) => postgresHost(`${row}.${column}`))),
    deletedName: nameText(postgresField(row, 'name_key'), postgresField(row, 'approved_name_key')),
  }),
};

/** A row that is no JSON has no texts: `check` reports it, and nothing else may fail because of it. */
function sqliteField(row: string, name: string): string {
  return `json_extract(case when json_valid(${row}.row) then ${row}.row end, '$.${name}')`;
}

/** PostgreSQL 15 has no `is json`. */
function postgresField(row: string, name: string): string {
  return `(json_or_null(${row}.row) ->> '${name}')`;
}

/** In lower case as far as it is ASCII, on both engines: PostgreSQL compares these columns by byte. */
export function personText(row: string): string {
  return `' ' || lower(${row}.email) || ${word(`lower(${row}.first_name)`)} || ${word(`lower(${row}.last_name)`)} || '  '`;
}

function nameText(name: string, approved: string): string {
  return `' ' || ${name} || ${word(`nullif(${approved}, ${name})`)} || '  '`;
}

/** Each host once. Null without an address. */
function hostsText(hosts: string[]): string {
  const words = hosts.map((host, at) => word(hosts.slice(0, at).reduce(unlessSame, host)));
  return `nullif(${words.join(' || ')} || '  ', '  ')`;
}

function unlessSame(host: string, other: string): string {
  return `nullif(${host}, coalesce(${other}, ''))`;
}

function word(text: string): string {
  return `coalesce(' ' || ${text}, '')`;
}

/** What stands between `//` and the port, the path or the query. */
function sqliteHost(url: string): string {
  const rest = `replace(replace(substr(${url}, instr(${url}, '//') + 2), '?', '/'), ':', '/')`;
  return `lower(substr(${rest}, 1, instr(${rest} || '/', '/') - 1))`;
}

function postgresHost(url: string): string {
  return `lower(split_part(translate(substr(${url}, strpos(${url}, '//') + 2), '?:', '//'), '/', 1))`;
}
