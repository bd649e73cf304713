import { sql } from 'kysely';
import { applyMigrations } from '../../../server/src/storage/migrate.ts';
import type { KnownSchemas, SchemaChange } from '../../../server/src/storage/migrations/known-schemas.ts';
import { readPostgresSchema, schemaAt } from '../../../server/src/storage/postgres/postgres-schema.ts';
import { PostgresStorage } from '../../../server/src/storage/postgres/postgres-storage.ts';
import type { Connection } from '../../../server/src/storage/query.ts';
import type { Schema, Storage } from '../../../server/src/storage/storage.ts';
import { execute } from './storage-test.ts';

/** Every object of a schema, one per line in the order of their names, regardless of the order of columns. */
export async function describeSchema(storage: Storage): Promise<string> {
  const objects = storage.engine === 'sqlite' ? await sqliteObjects(storage) : await postgresObjects(storage);
  return `${objects.toSorted().join('\n')}\n`;
}

async function postgresObjects({ reader }: Storage): Promise<string[]> {
  return [...(await completeSchema(reader))].map(([object, definition]) => `${object}: ${definition}`);
}

/** The schema of a PostgreSQL database, with every table in it. */
async function completeSchema(connection: Connection): Promise<Schema> {
  const select = 'select tablename from pg_tables where schemaname = current_schema()';
  const tables = await execute<{ tablename: string }>(connection, select);
  return readPostgresSchema(
    connection,
    tables.map(({ tablename }) => tablename),
  );
}

async function sqliteObjects({ reader }: Storage): Promise<string[]> {
  const select = sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where sql is not null and name not like '%\\_data' escape '\\'`;
  const rows = await reader.rows(select.compile(reader.builder));
  return rows.flatMap(({ type, name, sql: statement }) => {
    const plain = statement.replaceAll('"', '').replaceAll(/\s+/g, ' ');
    const [, columns, end] = /^create table \w+ \((.*)\)(.*)$/i.exec(plain) ?? [];
    if (columns === undefined) return [`${type} ${name}: ${plain}`];
    const parts = columns.split(/, (?![^(]*\))/).map((part) => `column of ${name}: ${part.trim()}`);
    return [`${type} ${name}:${end}`, ...parts];
  });
}

/** What each migration changes in the schema of an empty PostgreSQL database. */
export async function schemaHistory(url: string, { migrations }: KnownSchemas): Promise<SchemaChange[]> {
  const storage = await PostgresStorage.open(url);
  try {
    return await storage.write(async (transaction) => {
      const changes: SchemaChange[] = [];
      for (const migration of migrations) {
        await applyMigrations(transaction, 'postgres', [migration]);
        changes.push(await changeTo(transaction, changes));
      }
      return changes;
    });
  } finally {
    await storage.close();
  }
}

async function changeTo(transaction: Connection, before: SchemaChange[]): Promise<SchemaChange> {
  const previous = schemaAt(before, before.length);
  const schema = await completeSchema(transaction);
  const changed = [...schema].filter(([object, definition]) => previous.get(object) !== definition);
  return {
    version: before.length + 1,
    objects: Object.fromEntries(changed.toSorted()),
    dropped: [...previous.keys()].filter((object) => !schema.has(object)).toSorted(),
  };
}

/** A change that makes a schema foreign, and the objects that are then reported, each with how it differs. */
interface HostileSchema {
  what: string;
  statements: string[];
  reported: string[];
}

/** Everything that can be done to a table of ours with statements of both engines. */
const hostileSchemas: HostileSchema[] = [
  {
    what: 'an index that refuses rows',
    statements: ['create unique index one_app on apps (developer_id)'],
    reported: ['unexpected_object index one_app on apps'],
  },
  {
    what: 'an index over an expression',
    statements: ['create index lower_names on apps (lower(name))'],
    reported: ['unexpected_object index lower_names on apps'],
  },
  {
    what: 'an index with a condition',
    statements: ['create index drafts on apps (id) where length(name) > 3'],
    reported: ['unexpected_object index drafts on apps'],
  },
  {
    what: 'an index that is missing',
    statements: ['drop index apps_by_name'],
    reported: ['missing_object index apps_by_name on apps'],
  },
  {
    what: 'an index that no longer keeps installations unique',
    statements: [
      'drop index installations_workspace_id_app_id',
      'create index installations_workspace_id_app_id on installations (workspace_id, app_id)',
    ],
    reported: ['different_object index installations_workspace_id_app_id on installations'],
  },
];

/** A trigger that makes an operator token of every token that is issued, for each engine. */
export const promotingTrigger: Record<'sqlite' | 'postgres', string[]> = {
  sqlite: [
    `create trigger promote after insert on access_tokens begin
       update access_tokens set kind = 'operator', developer_id = null where id = new.id; end`,
  ],
  postgres: [
    `create function promote() returns trigger language plpgsql as
       $$ begin new.kind := 'operator'; new.developer_id := null; return new; end $$`,
    'create trigger promote before insert on access_tokens for each row execute function promote()',
  ],
};

/** On SQLite. The last ones write the catalogue itself, as the author of a file can. */
export const hostileSqliteSchemas: HostileSchema[] = [
  ...hostileSchemas,
  {
    what: 'a trigger that makes operator tokens of developer tokens',
    statements: promotingTrigger.sqlite,
    reported: ['unexpected_object trigger promote on access_tokens'],
  },
  {
    what: 'a trigger that has the name of one of ours',
    statements: [
      'drop trigger apps_inserted',
      `create trigger apps_inserted after insert on apps begin update access_tokens set kind = 'operator'; end`,
    ],
    reported: ['different_object trigger apps_inserted on apps'],
  },
  {
    what: 'a view in place of a table',
    statements: [
      'pragma foreign_keys = off',
      'pragma legacy_alter_table = on',
      'alter table sessions rename to real_sessions',
      'create view sessions as select hash, token_id, holder, created_at, 9e15 as expires_at from real_sessions',
    ],
    reported: [
      'unexpected_object table real_sessions',
      'unexpected_object view sessions',
      'missing_object table sessions',
    ],
  },
  {
    what: 'a generated column in place of a stored one',
    statements: [
      `drop index access_tokens_of_kind`,
      `drop index access_tokens_of_developer_and_kind`,
      'alter table access_tokens rename column kind to stored_kind',
      `alter table access_tokens add column kind text generated always as (replace(stored_kind, 'developer', 'operator'))`,
      'create index access_tokens_of_kind on access_tokens (kind, id)',
      'create index access_tokens_of_developer_and_kind on access_tokens (developer_id, kind, id)',
    ],
    reported: ['different_object table access_tokens'],
  },
  {
    what: 'a column that is not ours',
    statements: ['alter table apps add column note text'],
    reported: ['different_object table apps'],
  },
  {
    what: 'a virtual table',
    statements: ['create virtual table statistics using dbstat'],
    reported: ['unexpected_object table statistics'],
  },
  {
    what: 'a view',
    statements: ['create view tokens as select * from access_tokens'],
    reported: ['unexpected_object view tokens'],
  },
  forged('a constraint that lets in only what it wants', 'kind text not null', `kind text not null check (kind <> '')`),
  forged('a type that stores other values', 'expires_at integer', 'expires_at any'),
  forged('a collation by which other hashes match', 'hash text not null', 'hash text collate nocase not null'),
  forged('a reference that is gone', ' references developers (user_id)', ''),
];

function forged(what: string, find: string, replace: string): HostileSchema {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return {
    what,
    statements: [
      'pragma writable_schema = on',
      `update sqlite_master set sql = replace(sql, ${quoted(find)}, ${quoted(replace)}) where name = 'access_tokens'`,
    ],
    reported: ['different_object table access_tokens'],
  };
}

/** On PostgreSQL. */
export const hostilePostgresSchemas: HostileSchema[] = [
  ...hostileSchemas,
  {
    what: 'a trigger that makes operator tokens of developer tokens',
    statements: promotingTrigger.postgres,
    reported: ['unexpected_object trigger promote on access_tokens'],
  },
  {
    what: 'a rule',
    statements: [`create rule forget as on delete to access_tokens do instead nothing`],
    reported: ['unexpected_object rule forget on access_tokens'],
  },
  {
    what: 'a policy for rows',
    statements: [
      'alter table access_tokens enable row level security',
      'create policy hide on access_tokens using (revoked_at is null)',
    ],
    reported: ['different_object table access_tokens', 'unexpected_object policy hide on access_tokens'],
  },
  {
    what: 'a view in place of a table',
    statements: [
      'alter table daily_counts rename to real_counts',
      'create view daily_counts as select * from real_counts',
    ],
    reported: ['different_object table daily_counts'],
  },
  {
    what: 'a table that others add rows to',
    statements: ['create table more_tokens () inherits (access_tokens)'],
    reported: ['different_object table access_tokens'],
  },
  {
    what: 'a table that a crash empties',
    statements: ['alter table daily_counts set unlogged'],
    reported: ['different_object table daily_counts'],
  },
  {
    what: 'a default',
    statements: [`alter table access_tokens alter column scopes set default 'settings:write'`],
    reported: ['different_object column scopes of access_tokens'],
  },
  {
    what: 'a type that stores other values',
    statements: ['alter table access_tokens alter column expires_at type numeric'],
    reported: ['different_object column expires_at of access_tokens'],
  },
  {
    what: 'a collation in which ids have another order',
    statements: ['alter table sessions alter column holder type text collate "default"'],
    reported: ['different_object column holder of sessions'],
  },
  {
    what: 'a generated column in place of a stored one',
    statements: [
      'alter table access_tokens rename column name to stored_name',
      `alter table access_tokens add column name text collate "C" generated always as (upper(stored_name)) stored`,
    ],
    reported: [
      'different_object column name of access_tokens',
      'unexpected_object column stored_name of access_tokens',
    ],
  },
  {
    what: 'a constraint that lets in only what it wants',
    statements: [`alter table access_tokens add constraint no_operators check (kind <> 'operator')`],
    reported: ['unexpected_object constraint no_operators of access_tokens'],
  },
  {
    what: 'a reference that is gone',
    statements: ['alter table sessions drop constraint sessions_token_id_fkey'],
    reported: ['missing_object constraint sessions_token_id_fkey of sessions'],
  },
];
