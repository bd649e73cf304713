import { search } from './0011-search.ts';
import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const release: Migration = {
  usableFrom: 1,
  up: (db, types) => [...search(db, types)],
};
