import { change, find } from '../query.ts';

/** Changes when a database is restored, so that nothing issued before is taken for current. */
export const findEpoch = find((db) => db.selectFrom('registry_epoch').select('epoch'));

/** Makes every ETag of before one that no longer holds. */
export const renewEpoch = change((db, { epoch }: { epoch: string }) => db.updateTable('registry_epoch').set({ epoch }));
