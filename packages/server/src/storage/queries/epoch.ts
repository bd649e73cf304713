import { change, find } from '../query.ts';

/** Changes when a database is restored, so that nothing issued before counts as current. */
export const findEpoch = find((db) => db.selectFrom('registry_epoch').select('epoch'));

/** Invalidates every earlier ETag. */
export const renewEpoch = change((db, { epoch }: { epoch: string }) => db.updateTable('registry_epoch').set({ epoch }));
