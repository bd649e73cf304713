import type { ColumnTypes } from './migration.ts';

/**
 * The projections that readers catch up with (0056), the marks of what they still lack, and the index of every three
 * characters that follow each other in the texts that operators search by (0047). The index follows its table by itself.
 */
export function search({ engine, text, integer, sequence, tableEnd }: ColumnTypes): string[] {
  const tables = [
    `create table pending_projections (
      subject_id ${text} not null primary key,
      version ${integer} not null
    )${tableEnd}`,
    `create table search_texts (
      position ${sequence},
      subject_id ${text} not null unique,
      name ${text},
      hosts ${text},
      person ${text}
    )${tableEnd}`,
  ];
  if (engine === 'sqlite') return [...tables, ...searchedColumns.flatMap(indexInSqlite)];
  const trigrams = searchedColumns.map((column) => `search_trigrams(${column})`).join(', ');
  const index = `create index search_texts_by_trigram on search_texts using gin (${trigrams})`;
  return [...tables, trigramsInPostgres, index];
}

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
