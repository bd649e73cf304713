import { type Connection, find } from './query.ts';
import { columns } from './tables.ts';

export const findDeveloper = find((db, { userId }: { userId: string }) =>
  db.selectFrom('developers').select(columns.developers).where('user_id', '=', userId),
);

/** Those of these ids that are developers. */
export async function listDeveloperIds(connection: Connection, userIds: string[]): Promise<string[]> {
  const developers = connection.builder.selectFrom('developers').select('user_id').where('user_id', 'in', userIds);
  const rows = await connection.rows(developers.compile());
  return rows.map(({ user_id }) => user_id);
}
