import { type RawBuilder, sql } from 'kysely';

const weekMs = 604_800_000;
/** The first Monday after the beginning of 1970, in UTC. */
const firstMonday = 345_600_000;

/** The number of the week of a time, in weeks since 5 January 1970. Both in UTC. */
export function weekAt(time: number): number {
  return Math.floor((time - firstMonday) / weekMs);
}

/** When a week begins, in milliseconds since 1970. */
export function beginOfWeek(week: number): number {
  return firstMonday + week * weekMs;
}

/** `weekAt` of a column in a query. */
export function weekOf(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(${time} - ${sql.lit(firstMonday)}) / ${sql.lit(weekMs)}`;
}
