import type pg from 'pg';
import { sqlState } from './failure.ts';
import { refuseStandby } from './standby.ts';
import { readTimeline, Timeline, timelineExpression } from './timeline.ts';

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
