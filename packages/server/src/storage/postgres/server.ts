import type pg from 'pg';
import { refuseStandby } from './standby.ts';
import { readTimeline, Timeline } from './timeline.ts';

/** What each new connection learns about the server, and what is between. */
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
    const query: pg.QueryConfig & pg.ClientConfig = {
      text: `select pg_backend_pid() as pid, ${refuseStandby}`,
      query_timeout: this.#timeoutMs,
    };
    const { rows } = await client.query<{ pid: number }>(query);
    // A pooler names itself to clients: its connections to the server come and go.
    this.#isPooled = rows[0]?.pid !== Reflect.get(client, 'processID');
    await this.meetTimeline(client);
  };

  /** A server begins another timeline when it starts or is promoted, so that it has new connections; a pooler hides them. */
  async meetTimeline(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const timeline = await readTimeline(client, this.#timeoutMs);
    if (timeline !== null) this.timeline.meet(timeline);
  }
}
