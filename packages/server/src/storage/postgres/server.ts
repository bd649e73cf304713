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

/**
 * PostgreSQL begins another timeline at each promotion of a standby and at each recovery to a point in time, so another
 * number means another history of the database, which may lack the last changes of the earlier one. Any role may execute
 * these functions, unless a superuser has revoked it.
 */
const timelineExpression = "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int";

interface Inspected {
  pid: number;
  timeline: number | null;
}

/** What connections reveal about the server, and about a pooler in between. */
export class Server {
  /** Called when a timeline is seen for the first time, except the first of all. Must not throw. */
  onTimelineChanged: (change: TimelineChange) => void = () => {};
  readonly #timeoutMs: number;
  readonly #timelines = new Set<number>();
  /** The one that was seen last. */
  #timeline: number | null = null;
  #isPooled = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a pooler may give each transaction another connection, to another server even. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** For a new connection of a pool. Rejects a standby, so that a later attempt may find it promoted. */
  readonly inspectConnection = async (client: pg.ClientBase): Promise<void> => {
    const pid = await this.inspect(client);
    // A pooler gives clients a number of its own: its connections to servers come and go.
    this.#isPooled = pid !== Reflect.get(client, 'processID');
  };

  /** A server begins another timeline with new connections, but a pooler hides them. Returns the process of the server. */
  async inspect(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
    const { pid, timeline } = await this.#query(client, timelineExpression).catch((error: unknown) => {
      if (!lacksTimelines(error)) throw error;
      return this.#query(client, 'null::int');
    });
    if (timeline !== null) this.#observeTimeline(timeline);
    return pid;
  }

  #observeTimeline(timeline: number): void {
    const from = this.#timeline;
    this.#timeline = timeline;
    // An old primary that still runs beside the new one is not a change each time that it responds.
    if (this.#timelines.has(timeline)) return;
    this.#timelines.add(timeline);
    if (from !== null) this.onTimelineChanged({ from, to: timeline });
  }

  async #query(client: Pick<pg.ClientBase, 'query'>, timeline: string): Promise<Inspected> {
    const query: pg.QueryConfig & pg.ClientConfig = {
      text: `select pg_backend_pid() as pid, ${timeline} as timeline where ${refuseStandby} is null`,
      query_timeout: this.#timeoutMs,
    };
    const { rows } = await client.query<Inspected>(query);
    return rows[0] ?? { pid: 0, timeline: null };
  }
}

/** insufficient_privilege, undefined_function and feature_not_supported: a compatible server, or a revoked privilege. */
function lacksTimelines(error: unknown): boolean {
  return /^(?:42501|42883|0A000)$/.test(sqlState(error) ?? '');
}
