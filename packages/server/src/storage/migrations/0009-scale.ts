import { feed } from './0009-scale-feed.ts';
import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const scale: Migration = {
  usableFrom: 1,
  up: (db, types) => [...feed(db, types)],
};
