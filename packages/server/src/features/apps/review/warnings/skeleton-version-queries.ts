import { change, find, list } from '../../../../storage/query.ts';

/** The version of the data that stored skeletons were made with. */
export const findSkeletonVersion = find((db) => db.selectFrom('identity_versions').select('skeletons'));

export const deleteSkeletonVersions = change((db) => db.deleteFrom('identity_versions'));

/** The next apps, in the order of their ids. */
export const listNextAppIds = list((db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('apps').select('id').where('id', '>', after).orderBy('id').limit(limit),
);
