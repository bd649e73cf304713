import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

const replaced = [
  'installations_of_app_by_id',
  'installations_of_app_by_user',
  'installations_of_user',
  'installations_of_workspace',
  'installations_of_workspace_by_user',
];

/**
 * Two indexes instead of five, and of that of the unique constraint on PostgreSQL. Older programs sort all
 * installations of an app, a workspace or a user for each page of their lists.
 */
export function smallInstallations(db: QueryBuilder, { generated }: ColumnTypes): MigrationStep[] {
  const isSqlite = generated === 'virtual';
  const ofWorkspace = db.schema
    .createIndex('installations_of_workspace_by_app')
    .on('installations')
    .columns(['workspace_id', 'app_id']);
  return [
    db.schema.createIndex('installations_of_user_by_app').on('installations').columns(['user_id', 'app_id', 'id']),
    // SQLite cannot drop the constraint.
    ...(isSqlite
      ? [ofWorkspace]
      : [
          ofWorkspace.unique(),
          db.schema.alterTable('installations').dropConstraint('installations_app_id_workspace_id'),
        ]),
    ...replaced.map((name) => db.schema.dropIndex(name)),
  ];
}
