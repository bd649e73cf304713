import type pg from 'pg';
import type { TimelineChange } from '../storage.ts';

/**
 * The timelines of the server that this process has met. PostgreSQL begins another one at each promotion of a standby
 * and at each recovery to a point in time, so another number means another history of the database, which may lack the
 * last changes of the earlier one.
 */
export class Timeline {
  /** Called when a timeline is met for the first time, except the first of all. Must not throw. */
  onChange: (change: TimelineChange) => void = () => {};
  readonly #met = new Set<number>();
  #current: number | null = null;

  /** At each new connection, and behind a pooler, which hides them, whenever the server is checked. */
  meet(timeline: number): void {
    const from = this.#current;
    this.#current = timeline;
    // An old primary that still runs beside the new one is not a change each time that it responds.
    if (this.#met.has(timeline)) return;
    this.#met.add(timeline);
    if (from !== null) this.onChange({ from, to: timeline });
  }
}

/**
 * Null on a standby. Any role may execute these functions, unless a superuser has revoked it. The control file would lag
 * behind.
 */
export const timelineExpression = `case when not pg_is_in_recovery()
  then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end`;
const timelineQuery = `select ${timelineExpression} as timeline`;

/** Null on a standby, and on a compatible server that has no timelines. */
export async function readTimeline(client: Pick<pg.ClientBase, 'query'>, timeoutMs: number): Promise<number | null> {
  const query: pg.QueryConfig & pg.ClientConfig = { text: timelineQuery, query_timeout: timeoutMs };
  const { rows } = await client.query<{ timeline: number | null }>(query).catch(() => ({ rows: [] }));
  return rows[0]?.timeline ?? null;
}
