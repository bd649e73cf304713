import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StorageUnavailable } from '../failure.ts';
import { readTimeline, timelineExpression } from './timeline.ts';

/** The clocks of two machines go at rates that differ by less than a tenth. */
const rateMargin = 1.1;
const renewalsPerLease = 4;
const startMsMax = 15_000;
/** A renewal that waits for an unresponsive server must not keep the next one from reaching another server. */
const renewalsAtOnceMax = 2;
/** The class of our advisory locks; the other half of their key is a timeline. */
const lockClass = 1_634_755_173;

/**
 * Makes reads fail rather than be stale while a former primary still runs beside the new one. A read is current for
 * some seconds after this process has sent a commit that the synchronous standby has confirmed: until then the standby
 * was not promoted. Changes on a new timeline wait until these seconds have passed in every process. No clock is
 * compared with another; see docs/decisions/0026.
 */
export class ReadLease {
  readonly #pool: pg.Pool;
  readonly #ms: number;
  /** By timeline. */
  readonly #currentUntil = new Map<number, number>();
  readonly #writableFrom = new Map<number, number>();
  readonly #renewing = new Set<pg.PoolClient>();
  #renewals = 0;
  #timer: NodeJS.Timeout | undefined;

  /** The pool is for renewals alone. */
  constructor(pool: pg.Pool, seconds: number) {
    this.#pool = pool;
    this.#ms = seconds * 1_000;
  }

  /** Resolves once reads are current and changes may be acknowledged. */
  async start(): Promise<void> {
    const timeline = await Promise.race([this.#renew(), rejectAfter(startMsMax)]);
    this.#timer = setInterval(() => this.#renewAgain(), this.#ms / renewalsPerLease);
    await this.#untilWritable(timeline);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // One of them may wait for the standby forever.
    for (const client of this.#renewing) client.end().catch(() => {});
    await this.#pool.end();
  }

  /** Executes a read on a pool. Throws unless its result is current. */
  async read(pool: pg.Pool, config: pg.QueryConfig & pg.ClientConfig): Promise<pg.QueryResult> {
    const timeoutMs = config.query_timeout === undefined ? {} : { query_timeout: config.query_timeout };
    const client = await pool.connect();
    // In one transaction, because a pooler may give the next statement another server. The timeline comes first: a
    // server that is a primary stays on it.
    const begun = client.query({ text: 'begin isolation level read committed', ...timeoutMs });
    const timeline = readTimeline(client, this.#ms);
    const result = client.query(config);
    const sent = await Promise.allSettled([begun, result, client.query({ text: 'commit', ...timeoutMs })]);
    client.release(sent.some(isBroken) || this.#isFormer(await timeline));
    this.#assertCurrent(await timeline);
    return result;
  }

  /** Throws unless the transaction of this client reads what is current. */
  async requireCurrent(client: pg.PoolClient): Promise<number | null> {
    const timeline = await readTimeline(client, this.#ms);
    if (this.#isFormer(timeline)) await client.end();
    this.#assertCurrent(timeline);
    return timeline;
  }

  /** Throws unless the transaction of this client reads what is current, and may change it. */
  async requireWritable(client: pg.PoolClient): Promise<void> {
    this.assertWritable(await this.requireCurrent(client));
  }

  /** Throws while another process may still read an earlier timeline. */
  assertWritable(timeline: number | null): void {
    if (timeline === null || performance.now() < this.#meet(timeline))
      throw new StorageUnavailable('another process may still read the former primary');
  }

  /** After the response, which also covers a process that was stopped meanwhile. */
  #assertCurrent(timeline: number | null): void {
    if (timeline === null || performance.now() >= (this.#currentUntil.get(timeline) ?? 0))
      throw new StorageUnavailable(
        'the read lease has run out: the primary, or its synchronous standby, does not respond',
      );
  }

  /** Whether a connection leads to a server that another one has replaced. */
  #isFormer(timeline: number | null): boolean {
    return timeline === null || timeline < Math.max(...this.#writableFrom.keys());
  }

  /** Returns from when on changes of this timeline may be acknowledged. */
  #meet(timeline: number): number {
    const from = this.#writableFrom.get(timeline) ?? performance.now() + this.#ms * rateMargin;
    this.#writableFrom.set(timeline, from);
    return from;
  }

  /** The newest one whose changes may be acknowledged, for other processes to know; null if there is none. */
  get #settledTimeline(): number | null {
    const settled = [...this.#writableFrom].filter(([, from]) => from <= performance.now());
    return settled.length === 0 ? null : Math.max(...settled.map(([timeline]) => timeline));
  }

  async #untilWritable(timeline: number): Promise<void> {
    for (;;) {
      const waitMs = this.#meet(timeline) - performance.now();
      if (waitMs <= 0) return;
      // Another process may report meanwhile that it is settled.
      await sleep(Math.min(waitMs, this.#ms / renewalsPerLease));
    }
  }

  async #renewAgain(): Promise<void> {
    if (this.#renewals === renewalsAtOnceMax) return;
    this.#renewals += 1;
    // The next one comes soon.
    await this.#renew().catch(() => {});
    this.#renewals -= 1;
  }

  /** Returns the timeline whose reads it has made current. */
  async #renew(): Promise<number> {
    const client = await this.#pool.connect();
    this.#renewing.add(client);
    const sentAt = performance.now();
    try {
      const { timeline, isSettled } = await commitMessage(client, this.#settledTimeline);
      // Another process has waited for this timeline already.
      if (isSettled) this.#writableFrom.set(timeline, 0);
      else this.#meet(timeline);
      this.#currentUntil.set(timeline, Math.max(sentAt + this.#ms, this.#currentUntil.get(timeline) ?? 0));
      client.release();
      return timeline;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      this.#renewing.delete(client);
    }
  }
}

interface Committed {
  timeline: number;
  /** Whether another process has waited until changes of the timeline may be acknowledged. */
  isSettled: boolean;
}

/**
 * A message in the log of the server needs no table and no privilege, and unlike a read it makes the commit wait for
 * the synchronous standby. A shared advisory lock shows the other processes that the timeline is settled, which stays
 * true: so a pooler may keep the lock as long as it likes.
 */
const messageQuery = `
  with server as materialized (select ${timelineExpression} as timeline),
    settled as materialized (select exists (
      select from pg_locks, server
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid = ${lockClass} and objid = timeline::oid and objsubid = 2
    ) as is_settled)
  select timeline, is_settled, pg_logical_emit_message(true, 'app-registry', ''),
    case when current_setting('synchronous_commit') not in ('on', 'remote_apply')
      then set_config('synchronous_commit', 'on', true) end,
    case when not is_settled and timeline = $1::int then pg_try_advisory_lock_shared(${lockClass}, timeline) end
  from server, settled`;

/** Resolves once it is committed, on the synchronous standby too. */
async function commitMessage(client: pg.PoolClient, settledTimeline: number | null): Promise<Committed> {
  let notice: string | undefined;
  const onNotice = ({ message = 'a notice' }: { message: string | undefined }) => {
    notice = message;
  };
  client.on('notice', onNotice);
  const { rows } = await client.query<{ timeline: number | null; is_settled: boolean }>(messageQuery, [
    settledTimeline,
  ]);
  client.off('notice', onNotice);
  // Such as that an administrator has cancelled the wait for the standby: PostgreSQL then reports a success.
  if (notice !== undefined) throw new StorageUnavailable(notice);
  const [{ timeline = null, is_settled: isSettled = false } = {}] = rows;
  if (timeline === null) throw new StorageUnavailable('the database server has no timeline');
  return { timeline, isSettled };
}

/** Whether a connection cannot be used again: its server has rejected nothing and responded nothing. */
function isBroken(outcome: PromiseSettledResult<unknown>): boolean {
  return outcome.status === 'rejected' && !(outcome.reason instanceof pg.DatabaseError);
}

async function rejectAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new StorageUnavailable('no synchronous standby confirms a commit');
}
