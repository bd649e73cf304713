import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Executes statements as someone who may do anything with the database. */
export async function changeSchema(url: string, statements: string[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false });
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
