import { sql } from 'kysely';
import { type Catalogue, printable, type Schema } from '../schema.ts';
import type { Reader } from '../statement.ts';
import history from './schema-history.json' with { type: 'json' };

/** The objects that one migration has created, changed and dropped. */
export interface SchemaChange {
  version: number;
  objects: Record<string, string>;
  dropped: string[];
}

/** Appended to the definition of an index that is not used. */
export const invalidIndex = 'invalid';

interface CatalogueRow {
  object: string;
  definition: string;
}

/**
 * The expected schema is a description that `npm run schema` writes, because a server may let us create nothing to
 * compare with. Other tables of the database are not compared.
 */
export const postgresCatalogue: Catalogue = {
  read: async (reader) => withEquivalents(await readPostgresSchema(reader, tableNames(history))),
  expected: async (version, progress) => (progress ? during(version) : [schemaAt(history, version)]),
};

/**
 * A program of migrations that finds `changed_since_approval` missing in a filled table adds an ordinary column with a trigger,
 * because PostgreSQL adds a generated one under a lock that stops reads. A migration that changes one changes both.
 */
const byTrigger = {
  'column changed_since_approval of apps': 'bigint default 0',
  'function apps_changed_since_approval()':
    'plpgsql begin new.changed_since_approval := case when new.approved_revision <> new.revision then 1 else 0 end; return new; end ',
  'trigger apps_changed_since_approval on apps':
    'CREATE TRIGGER apps_changed_since_approval BEFORE INSERT OR UPDATE ON apps FOR EACH ROW EXECUTE FUNCTION apps_changed_since_approval()',
};

function withEquivalents(schema: Schema): Schema {
  const parts = Object.entries(byTrigger);
  if (parts.some(([object, definition]) => schema.get(object) !== definition)) return schema;
  const [column] = Object.keys(byTrigger) as [string];
  const generated = schemaAt(history, history.length).get(column) ?? '';
  return new Map([...schema].filter(([object]) => !(object in byTrigger)).concat([[column, generated]]));
}

/** An index that a killed process has built, or dropped, in part is listed as invalid. */
function during(version: number): Schema[] {
  const schemas = [schemaAt(history, version - 1), schemaAt(history, version)];
  const invalid = (schema: Schema) =>
    new Map(
      [...schema].map(([object, text]) => [object, object.startsWith('index ') ? `${text} ${invalidIndex}` : text]),
    );
  return [...schemas, ...schemas.map(invalid)];
}

/** Whether a migration has created an object with this definition. */
export function wasOurs(object: string, definition: string): boolean {
  const changes: SchemaChange[] = history;
  return changes.some(({ objects }) => objects[object] === definition);
}

/** The schema after the migrations up to a version. */
export function schemaAt(changes: SchemaChange[], version: number): Schema {
  const schema = new Map<string, string>();
  for (const { objects, dropped } of changes.slice(0, version)) {
    for (const object of dropped) schema.delete(object);
    for (const [object, definition] of Object.entries(objects)) schema.set(object, definition);
  }
  return schema;
}

function tableNames(changes: SchemaChange[]): string[] {
  return changes
    .flatMap(({ objects }) => Object.keys(objects))
    .flatMap((object) => /^table (\w+)$/.exec(object)?.[1] ?? []);
}

/** Everything that takes part in reading and writing these tables, each as this connection finds it by its name. */
export async function readPostgresSchema(reader: Reader, tables: string[]): Promise<Schema> {
  const rows = await reader.rows(catalogueQuery(tables).compile(reader.builder));
  return new Map(rows.map(({ object, definition }) => [printable(object), withoutQuotes(printable(definition))]));
}

/** Which plain names PostgreSQL quotes depends on the keywords of its version. */
function withoutQuotes(definition: string): string {
  return definition.replace(/"([a-z_][a-z0-9_]*)"/g, '$1');
}

/**
 * Not null constraints are part of the columns, since only PostgreSQL 18 lists them. The internal triggers of foreign
 * keys count when they are disabled, and any trigger when it fires for replicated rows.
 */
function catalogueQuery(tables: string[]) {
  return sql<CatalogueRow>`
    with ours as (
      select * from pg_class
      where relname = any(${tables}) and relkind in ('r', 'p', 'v', 'm', 'f') and pg_table_is_visible(oid)
    )
    select 'table ' || relname as object,
      concat_ws(' ',
        case relpersistence when 'u' then 'unlogged' when 't' then 'temporary' end,
        case relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'f' then 'foreign table' else 'view' end,
        case when relrowsecurity then 'with row security' end,
        case when relforcerowsecurity then 'for its owner too' end,
        case when exists (select 1 from pg_inherits where inhrelid = ours.oid) then 'that inherits' end,
        case when exists (select 1 from pg_inherits where inhparent = ours.oid) then 'that others inherit from' end
      ) as definition
    from ours
    union all
    select format('column %s of %s', attname, relname),
      concat_ws(' ',
        format_type(atttypid, atttypmod),
        (select 'collate ' || collname from pg_collation where oid = attcollation),
        case when attnotnull then 'not null' end,
        case attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end,
        case when adbin is not null then
          concat(case attgenerated when 's' then 'stored ' when 'v' then 'virtual ' else 'default ' end, pg_get_expr(adbin, adrelid))
        end
      )
    from ours
    join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select format('constraint %s of %s', conname, relname),
      concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), case when not convalidated then 'not validated' end)
    from ours join pg_constraint on conrelid = ours.oid and contype <> 'n'
    union all
    select format('index %s on %s', indexes.relname, ours.relname),
      concat_ws(' ',
        pg_get_indexdef(indexrelid, 0, true),
        case when indisunique and not indimmediate then 'deferred' end,
        case when not indisvalid or not indisready then ${sql.lit(invalidIndex)} end
      )
    from ours join pg_index on indrelid = ours.oid join pg_class as indexes on indexes.oid = indexrelid
    union all
    select format('trigger %s on %s', tgname, relname),
      concat_ws(' ',
        case tgenabled when 'D' then 'disabled' when 'R' then 'for replicated rows' when 'A' then 'always' end,
        pg_get_triggerdef(pg_trigger.oid, true)
      )
    from ours join pg_trigger on tgrelid = ours.oid and (not tgisinternal or tgenabled <> 'O')
    union all
    select 'function ' || pg_proc.oid::regprocedure,
      concat_ws(' ', lanname, case when prosecdef then 'as its owner' end, array_to_string(proconfig, ' '), prosrc)
    from ours
    join pg_trigger on tgrelid = ours.oid and not tgisinternal
    join pg_proc on pg_proc.oid = tgfoid
    join pg_language on pg_language.oid = prolang
    union all
    select 'function ' || pg_proc.oid::regprocedure,
      concat_ws(' ', lanname, case when prosecdef then 'as its owner' end, array_to_string(proconfig, ' '), prosrc)
    from ours
    join pg_index on indrelid = ours.oid
    join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid and refclassid = 'pg_proc'::regclass
    join pg_proc on pg_proc.oid = refobjid
    join pg_language on pg_language.oid = prolang
    union all
    select format('rule %s on %s', rulename, relname), pg_get_ruledef(pg_rewrite.oid, true)
    from ours join pg_rewrite on ev_class = ours.oid and rulename <> '_RETURN'
    union all
    select format('policy %s on %s', polname, relname),
      concat_ws(' ', 'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid))
    from ours join pg_policy on polrelid = ours.oid`;
}
