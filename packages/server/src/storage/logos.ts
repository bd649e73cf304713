import { find, insert } from './query.ts';

export const findLogo = find((db, { id }: { id: string }) => db.selectFrom('logos').select('png').where('id', '=', id));

export const findLogoOfDeveloper = find((db, { id, developerId }: { id: string; developerId: string }) =>
  db.selectFrom('logos').select('id').where('id', '=', id).where('developer_id', '=', developerId),
);

export const insertLogo = insert('logos');
