import { createTable, stepsOf } from '../migration-progress.ts';
import { openStorage } from '../open-storage.ts';
import { execute } from './storage-test.ts';

/** What the last step of the schema creates. */
const lastObject = { sqlite: 'trigger search_by_person_of_changed', postgres: 'index search_texts_by_trigram' };

/** Leaves a database as if its migration had been interrupted before the last step. */
export async function interruptMigration(url: string): Promise<void> {
  const storage = await openStorage(url);
  const version = storage.schemas.migrations.length;
  const steps = stepsOf(storage, version).length - 1;
  await storage.write(async (transaction) => {
    await execute(transaction, `drop ${lastObject[storage.engine]}`);
    await transaction.run(createTable(transaction));
    await execute(transaction, `insert into registry_migration values (${version}, ${steps}, '')`);
  });
  await storage.close();
}
