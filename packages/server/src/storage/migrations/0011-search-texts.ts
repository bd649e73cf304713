/** The columns of `search_texts` that are searched: names of apps, hosts of their addresses, and who developers are. */
export const searchedColumns = ['name', 'hosts', 'person'] as const;

/**
 * Expressions for the texts of a row: a space before each word, by which the start of a word is found, and two at the end, so that
 * each character begins a trigram.
 */
export interface AppTexts {
  /** The current name, and the approved one if that is another. */
  name: string;
  hosts: string;
  /** Of a row of `deleted_apps`. */
  deletedName: string;
}

export const appTexts: Record<'sqlite' | 'postgres', (row: string) => AppTexts> = {
  sqlite: (row) => ({
    name: nameText(`${row}.name_key`, `${row}.approved_name_key`),
    hosts: hostsText(sqliteHost(`${row}.login_url`), sqliteHost(`${row}.callback_url`)),
    deletedName: nameText(sqliteField(row, 'name_key'), sqliteField(row, 'approved_name_key')),
  }),
  postgres: (row) => ({
    name: nameText(`${row}.name_key`, `${row}.approved_name_key`),
    hosts: hostsText(postgresHost(`${row}.login_url`), postgresHost(`${row}.callback_url`)),
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

/** Null without an address. */
function hostsText(login: string, callback: string): string {
  return `nullif(${word(login)} || ${word(`nullif(${callback}, coalesce(${login}, ''))`)} || '  ', '  ')`;
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
