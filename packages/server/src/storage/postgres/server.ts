import type pg from 'pg';
import type { TimelineChange } from '../storage.ts';
import { sqlState } from './failure.ts';

/**
 * Null on a primary. On a standby PostgreSQL refuses to execute it: what a standby has may be older than what was
 * acknowledged, so nothing may be read there and no refusal based on it.
 *
 * A server never turns from a primary into a standby without closing its connections. So a check of each new connection
 * would be enough, if a pooler could not give each transaction another server. Hence each batch of the gate, each write
 * and each snapshot checks too, within a statement that it sends anyway: it takes 2 µs at most. Only
 * other reads would need a transaction for it, and get one only behind a pooler.
 */
export const refuseStandby = 'case when pg_is_in_recovery() then pg_current_wal_lsn() end';

/** Returns no row on a primary. */
export const refusingStandby = `select null where ${refuseStandby} = '0/0'`;

/** What new connections reveal about the server, and about a pooler in between. */
export class Server {
  readonly timeline = new Timeline();
  readonly #timeoutMs: number;
  #isPooled = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a pooler may give each transaction another connection, to another server even. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** For a pool. Rejects a standby, so that a later attempt may find it promoted. */
  readonly meet = async (client: pg.ClientBase): Promise<void> => {
    const { pid, timeline } = await this.#query(client, timelineExpression).catch((error: unknown) => {
      if (!lacksTimelines(error)) throw error;
      return this.#query(client, 'null::int');
    });
    // A pooler gives clients a number of its own: its connections to servers come and go.
    this.#isPooled = pid !== Reflect.get(client, 'processID');
    if (timeline !== null) this.timeline.meet(timeline);
  };

  /** A server begins another timeline when it starts or is promoted, so that it has new connections; a pooler hides them. */
  async meetTimeline(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const timeline = await readTimeline(client, this.#timeoutMs);
    if (timeline !== null) this.timeline.meet(timeline);
  }

  async #query(client: pg.ClientBase, timeline: string): Promise<{ pid: number; timeline: number | null }> {
    const query: pg.QueryConfig & pg.ClientConfig = {
      text: `select pg_backend_pid() as pid, ${refuseStandby}, ${timeline} as timeline`,
      query_timeout: this.#timeoutMs,
    };
    const { rows } = await client.query<{ pid: number; timeline: number | null }>(query);
    return rows[0] ?? { pid: 0, timeline: null };
  }
}

/** insufficient_privilege, undefined_function and feature_not_supported: a compatible server, or a revoked privilege. */
function lacksTimelines(error: unknown): boolean {
  return /^(?:42501|42883|0A000)$/.test(sqlState(error) ?? '');
}

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
