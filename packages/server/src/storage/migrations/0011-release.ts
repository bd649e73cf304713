import { deliveryRequests } from './0011-deliveries.ts';
import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one. */
export const release11: Migration = {
  usableFrom: 1,
  up: (db, types) => deliveryRequests(db, types),
};
