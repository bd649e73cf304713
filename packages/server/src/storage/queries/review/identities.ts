import type { Connection } from '../../query.ts';
import type { AppIdentityRow } from '../../tables.ts';

/** Far below the number of values that either engine allows in a statement. */
const rowsMax = 500;

/** Inside a write: stores names and hosts of apps that have none. */
export async function insertIdentities(connection: Connection, rows: AppIdentityRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsMax) {
    const some = rows.slice(at, at + rowsMax);
    await connection.run(connection.builder.insertInto('app_identities').values(some).compile());
  }
}

/** Inside a write: deletes the names and hosts of apps. */
export async function deleteIdentities(connection: Connection, appIds: string[]): Promise<void> {
  await connection.run(connection.builder.deleteFrom('app_identities').where('app_id', 'in', appIds).compile());
}
