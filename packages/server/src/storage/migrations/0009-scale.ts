import type { QueryBuilder } from '../statement.ts';
import { feed } from './0009-scale-feed.ts';
import { smallInstallations } from './0009-scale-installations.ts';
import { shareWebhooks } from './0009-scale-webhooks.ts';
import type { ColumnTypes, Migration, MigrationStep } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const scale: Migration = {
  usableFrom: 1,
  up: (db, types) => [
    ...developerStamps(db, types),
    ...smallInstallations(db, types),
    ...shareWebhooks(db, types),
    ...feed(db, types),
  ],
};

/** Older programs know only the stamps of apps: while they may run, a changed developer changes those too. */
function developerStamps(db: QueryBuilder, { text }: ColumnTypes): MigrationStep[] {
  return [db.schema.alterTable('developers').addColumn('revision_stamp', text)];
}
