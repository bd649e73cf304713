import { stream } from '../query.ts';
import { columns } from '../tables.ts';

export const streamDevelopers = stream((db) =>
  db.selectFrom('developers').select(columns.developers).orderBy('user_id'),
);

/** Few at a time: images are large. */
export const streamLogos = stream((db) => db.selectFrom('logos').select(columns.logos).orderBy('id'), { rowsMax: 8 });

export const streamApps = stream((db) => db.selectFrom('apps').select(columns.apps).orderBy('id'));
