import { type RawBuilder, sql } from 'kysely';
import { stream } from './query.ts';
import type { QueryBuilder } from './statement.ts';
import { columns } from './tables.ts';

/** A row that is not as others need it. */
interface BrokenRow {
  id: string;
}

/** Without what is large or secret. */
export const streamTokens = stream((db) => db.selectFrom('access_tokens').select(['id', 'developer_id']).orderBy('id'));
export const streamLogoOwners = stream((db) => db.selectFrom('logos').select(['id', 'developer_id']).orderBy('id'));

const installationsOfApp = sql<number>`(select count(*) from installations where installations.app_id = apps.id)`;

/** Apps whose `installation_count` is not the number of their installations. */
export const streamMiscounted = stream((db) =>
  db
    .selectFrom('apps')
    .select(['id', 'installation_count', installationsOfApp.as('installations')])
    .where('installation_count', '<>', installationsOfApp)
    .orderBy('id'),
);

/** Names that more than one app claims for itself alone. */
export const streamSharedClaims = stream((db) =>
  raw<{ name_claim: string }>(
    db,
    sql`select name_claim from apps where name_claim is not null group by name_claim having count(*) > 1 order by name_claim`,
  ),
);

/** Workspaces into which an app is installed more than once. */
export const streamSharedWorkspaces = stream((db) =>
  raw<{ app_id: string; workspace_id: string }>(
    db,
    sql`select app_id, workspace_id from installations group by app_id, workspace_id having count(*) > 1
      order by app_id, workspace_id`,
  ),
);

/** For each column that refers to another table: the rows whose object is missing there. */
export const danglingReferences = (
  [
    { table: 'logos', column: 'developer_id', to: 'developers' },
    { table: 'apps', column: 'developer_id', to: 'developers' },
    { table: 'apps', column: 'logo_id', to: 'logos' },
    { table: 'installations', column: 'app_id', to: 'apps' },
    { table: 'access_tokens', column: 'developer_id', to: 'developers' },
  ] as const
).map(({ table, column, to }) => ({
  table,
  column,
  stream: stream((db) => {
    const [reference, key] = [sql.ref(`one.${column}`), sql.ref(`other.${columns[to][0]}`)];
    return raw<BrokenRow>(
      db,
      sql`select one.id from ${sql.table(table)} as one left join ${sql.table(to)} as other on ${key} = ${reference}
        where ${reference} is not null and ${key} is null order by one.id`,
    );
  }),
}));

/** For each kind of object: those whose creation no event tells. */
export const eventlessObjects = (
  [
    { table: 'developers', type: 'developer.created' },
    { table: 'logos', type: 'logo.created' },
    { table: 'apps', type: 'app.created' },
    { table: 'installations', type: 'installation.created' },
    { table: 'access_tokens', type: 'token.issued' },
  ] as const
).map(({ table, type }) => ({
  table,
  type,
  stream: stream((db) =>
    raw<BrokenRow>(
      db,
      sql`select ${sql.ref(columns[table][0])} as id from ${sql.table(table)}
        except select subject_id from events where type = ${type} order by id`,
    ),
  ),
}));

function raw<Row>(db: QueryBuilder, query: RawBuilder<unknown>) {
  return { compile: () => query.$castTo<Row>().compile(db) };
}
