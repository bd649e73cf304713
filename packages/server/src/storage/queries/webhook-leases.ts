import { change, list } from '../query.ts';

/** The process that holds each enabled webhook's lease, or null. The beat counts its changes. */
export const listLeases = list((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'secret', 'lease_holder', 'lease_beat'])
    .where('disabled_at', 'is', null)
    .orderBy('id'),
);

export const listLeasesOf = list((db, { holder }: { holder: string }) =>
  db.selectFrom('webhooks').select('id').where('lease_holder', '=', holder).where('disabled_at', 'is', null),
);

/** Shows other processes that this one is alive. */
export const renewLeases = change((db, { holder }: { holder: string }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_beat: eb('lease_beat', '+', 1) }))
    .where('lease_holder', '=', holder)
    .where('disabled_at', 'is', null),
);

/** Takes the lease of a webhook. Changes nothing if the webhook has changed since it was read, or is disabled. */
export const takeLease = change((db, { id, holder, beat }: { id: string; holder: string; beat: number }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_holder: holder, lease_beat: eb('lease_beat', '+', 1) }))
    .where('id', '=', id)
    .where('lease_beat', '=', beat)
    .where('disabled_at', 'is', null),
);

/** Releases the lease of one webhook. */
export const releaseLease = change((db, { id, holder }: { id: string; holder: string }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_holder: null, lease_beat: eb('lease_beat', '+', 1) }))
    .where('id', '=', id)
    .where('lease_holder', '=', holder),
);

/** Releases all leases of a process, so that others can take them at once. */
export const releaseLeases = change((db, { holder }: { holder: string }) =>
  db
    .updateTable('webhooks')
    .set(({ eb }) => ({ lease_holder: null, lease_beat: eb('lease_beat', '+', 1) }))
    .where('lease_holder', '=', holder),
);
