import { deliveryRequests } from './0011-deliveries.ts';
import { search } from './0011-search.ts';
import { traces } from './0011-traces.ts';
import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const tracesDeliveriesSearch: Migration = {
  usableFrom: 1,
  up: (db, types) => [...traces(db, types), ...deliveryRequests(db, types), ...search(db, types)],
};
