import { find } from './query.ts';

/** Changes when a database is restored, so that nothing issued before is taken for current. */
export const findEpoch = find((db) => db.selectFrom('registry_epoch').select('epoch'));
