import { reviewMode } from './0010-console-review.ts';
import { search } from './0010-console-search.ts';
import { statistics } from './0010-console-statistics.ts';
import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const consoleReview: Migration = {
  usableFrom: 1,
  up: (db, types) => [...reviewMode(db, types), ...search(db, types), ...statistics(db, types)],
};
