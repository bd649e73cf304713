import { change, find } from '../query.ts';
import { type ClockObservationRow, columns } from '../tables.ts';

export const findClockObservation = find((db, { bootId }: { bootId: string }) =>
  db.selectFrom('clock_observations').select(columns.clock_observations).where('boot_id', '=', bootId),
);

/** Replaces the earlier one of the same start of a machine. */
export const replaceClockObservation = change((db, { boot_id, observed_at, uptime_ms }: ClockObservationRow) =>
  db
    .insertInto('clock_observations')
    .values({ boot_id, observed_at, uptime_ms })
    .onConflict((conflict) => conflict.column('boot_id').doUpdateSet({ observed_at, uptime_ms })),
);

/** Deletes the observations of other starts up to a time. */
export const deleteOtherClockObservations = change((db, { bootId, until }: { bootId: string; until: number }) =>
  db.deleteFrom('clock_observations').where('boot_id', '<>', bootId).where('observed_at', '<=', until),
);
