import { change, list } from '../query.ts';

/** Which process works for each enabled webhook; null when none does. The beat counts every change of that. */
export const listLeases = list((db) =>
  db.selectFrom('webhooks').select(['id', 'lease_holder', 'lease_beat']).where('disabled_at', 'is', null).orderBy('id'),
);

export const listLeasesOf = list((db, { holder }: { holder: string }) =>
  db.selectFrom('webhooks').select('id').where('lease_holder', '=', holder).where('disabled_at', 'is', null),
);

/** Tells other processes that this one goes on. */
export const renewLeases = change((db, { holder }: { holder: string }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_beat: eb('lease_beat', '+', 1) }))
    .where('lease_holder', '=', holder)
    .where('disabled_at', 'is', null),
);

/** Makes one process work for a webhook. Changes nothing when it is not as it was read, or disabled. */
export const takeLease = change((db, { id, holder, beat }: { id: string; holder: string; beat: number }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_holder: holder, lease_beat: eb('lease_beat', '+', 1) }))
    .where('id', '=', id)
    .where('lease_beat', '=', beat)
    .where('disabled_at', 'is', null),
);

/** Gives way to other processes at once. */
export const releaseLeases = change((db, { holder }: { holder: string }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_holder: null, lease_beat: eb('lease_beat', '+', 1) }))
    .where('lease_holder', '=', holder),
);
