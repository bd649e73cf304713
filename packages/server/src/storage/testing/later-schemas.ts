import { type KnownSchemas, knownSchemas } from '../migrations/known-schemas.ts';
import { type Migration, statement } from '../migrations/migration.ts';

/** One step of each kind, over tables that a test has filled. Programs of the current version keep working beside it. */
const mottos: Migration = {
  usableFrom: 1,
  up: (db, { text, tableEnd }) => [
    db.schema.createIndex('installations_by_creation').on('installations').columns(['created_at', 'id']),
    statement(db, `alter table apps add column motto ${text}`),
    {
      table: 'apps',
      key: 'id',
      update: (rows) => ({
        compile: () => {
          const update = db.updateTable('apps').where(rows);
          return update.set((row) => ({ motto: row.ref('id') }) as object).compile();
        },
      }),
    },
    db.schema
      .createIndex('apps_by_motto')
      .on('apps')
      .columns(['motto' as 'name', 'id']),
    db.schema.dropIndex('reason_templates_by_title'),
    [
      statement(
        db,
        `create table support_requests (
          id ${text} not null primary key,
          app_id ${text} not null references apps (id)
        )${tableEnd}`,
      ),
      statement(db, 'create index support_requests_of_app on support_requests (app_id, id)'),
    ],
  ],
};

const supportHours: Migration = {
  usableFrom: 1,
  up: (db, { text }) => [statement(db, `alter table support_requests add column hours ${text}`)],
};

/** What a later program could know: migrations that are made up, to test how they run. */
export const laterSchemas: KnownSchemas = {
  ...knownSchemas,
  migrations: [...knownSchemas.migrations, mottos, supportHours],
  postgres: [
    ...knownSchemas.postgres,
    {
      version: knownSchemas.migrations.length + 1,
      objects: {
        'column app_id of support_requests': 'text collate C not null',
        'column id of support_requests': 'text collate C not null',
        'column motto of apps': 'text collate C',
        'constraint support_requests_app_id_fkey of support_requests': 'FOREIGN KEY (app_id) REFERENCES apps(id)',
        'constraint support_requests_pkey of support_requests': 'PRIMARY KEY (id)',
        'index apps_by_motto on apps': 'CREATE INDEX apps_by_motto ON apps USING btree (motto, id)',
        'index installations_by_creation on installations':
          'CREATE INDEX installations_by_creation ON installations USING btree (created_at, id)',
        'index support_requests_of_app on support_requests':
          'CREATE INDEX support_requests_of_app ON support_requests USING btree (app_id, id)',
        'index support_requests_pkey on support_requests':
          'CREATE UNIQUE INDEX support_requests_pkey ON support_requests USING btree (id)',
        'table support_requests': 'table',
      },
      dropped: ['index reason_templates_by_title on reason_templates'],
    },
    {
      version: knownSchemas.migrations.length + 2,
      objects: { 'column hours of support_requests': 'text collate C' },
      dropped: [],
    },
  ],
};

export const laterVersion = laterSchemas.migrations.length;
