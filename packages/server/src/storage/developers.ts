import { find } from './query.ts';

export const findDeveloper = find((db, { userId }: { userId: string }) =>
  db.selectFrom('developers').selectAll().where('user_id', '=', userId),
);
