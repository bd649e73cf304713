import assert from 'node:assert/strict';
import { fstatSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { bearer, getAppRequest, requestBytes } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import type { OperatorApp } from '../../src/features/apps/app-schemas.ts';
import { HttpFixture, type HttpFixtureSettings } from './http-fixture.ts';
import { StreamedResponse } from './streamed-response.ts';

/** Fails a test that waits in vain. */
const waitMsMax = 60_000;

/** A list of this length exceeds the buffers of two sockets, so it is complete only if the client reads it. */
export const moreThanBuffers = 100_000;

/** An app with many installations, whose name would confuse a careless JSON parser. */
export class LongList {
  readonly http: HttpFixture;
  readonly app: OperatorApp;
  readonly #engine: Engine;
  readonly #handlesAtFirst: number;

  static async open(
    engine: Engine,
    { count, ...settings }: HttpFixtureSettings & { count: number },
  ): Promise<LongList> {
    const http = await HttpFixture.open(engine, settings);
    const app = await http.data.newApp({ name: '"installations":[] & "', status: 'APPROVED' });
    const { storage } = http.data.registry;
    await addInstallations(storage, { appId: app.id, count, userId: app.developerId });
    return new LongList(http, app, engine);
  }

  private constructor(http: HttpFixture, app: OperatorApp, engine: Engine) {
    this.http = http;
    this.app = app;
    this.#engine = engine;
    this.#handlesAtFirst = this.#handles();
  }

  get path(): string {
    return `/platform/apps/v1/${this.app.id}`;
  }

  async get(headers: Record<string, string> = {}, signal?: AbortSignal): Promise<StreamedResponse> {
    const fields = { ...bearer(this.http.tokens.platform), ...headers };
    return StreamedResponse.get(await this.http.port(), this.path, { headers: fields, signal });
  }

  /** Retries until a stream slot is free: that of an aborted response is released a moment later. */
  async getWithRoom(headers: Record<string, string> = {}): Promise<StreamedResponse> {
    const deadline = Date.now() + waitMsMax;
    for (;;) {
      const response = await this.get(headers);
      if (response.status !== 503) return response;
      response.destroy();
      assert.ok(Date.now() < deadline, 'a stream slot is released');
      await sleep(20);
    }
  }

  head(headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.http.send({ ...getAppRequest(this.http.tokens.platform, this.app.id, headers), method: 'HEAD' });
  }

  /** All bytes that arrive over a separate connection. Rejects if it is reset. */
  async exchange(version: '1.0' | '1.1', headers: Record<string, string> = {}): Promise<string> {
    const socket = connect(await this.http.port(), '127.0.0.1');
    const fields = { host: 'localhost', connection: 'close', ...headers };
    const request = requestBytes(getAppRequest(this.http.tokens.platform, this.app.id, fields));
    socket.write(request.toString('latin1').replace('HTTP/1.1', `HTTP/${version}`));
    return text(socket.setEncoding('latin1'));
  }

  /** From now on reading the list fails at this position, and nothing else does. */
  async failAt(position: number): Promise<void> {
    const { storage } = this.http.data.registry;
    const at = `select id from installations order by created_at, id limit 1 offset ${position}`;
    const [row] = await execute(storage.reader, at);
    // Fails on both engines: the smallest number has no positive counterpart. The planner cannot fold the expression.
    const failing = 'abs(length(id) - length(id) - 9223372036854775807 - 1)';
    await storage.write(async (transaction) => {
      await execute(transaction, 'alter table installations rename to intact_installations');
      await execute(
        transaction,
        `create view installations as select id, app_id, workspace_id, user_id, created_at,
          case when id = '${row?.id}' then ${failing} else enabled end as enabled from intact_installations`,
      );
    });
  }

  /** Undoes `failAt`. */
  async mend(): Promise<void> {
    await this.http.data.registry.storage.write(async (transaction) => {
      await execute(transaction, 'drop view installations');
      await execute(transaction, 'alter table intact_installations rename to installations');
    });
  }

  /** Breaks the database for the current readers of a list. */
  async breakDatabase(): Promise<void> {
    if (this.#engine.name === 'sqlite') return truncateSync(this.#file, 100_000);
    const { reader } = this.http.data.registry.storage;
    const ended = await execute(reader, `select pg_terminate_backend(pid, 5000) ${snapshotsOfThisDatabase}`);
    assert.ok(ended.length > 0, 'a list is being read');
  }

  /** Asserts that client connections, database snapshots and their files are released. */
  async assertReleased(): Promise<void> {
    const deadline = Date.now() + waitMsMax;
    let left = await this.#left();
    while (Object.values(left).some((count) => count > 0) && Date.now() < deadline) {
      await sleep(20);
      left = await this.#left();
    }
    assert.deepEqual(left, { connections: 0, snapshots: 0, handles: 0 });
  }

  close(): Promise<void> {
    return this.http.close();
  }

  async #left() {
    return {
      connections: await this.#connections(),
      snapshots: await this.#snapshots(),
      handles: Math.max(0, this.#handles() - this.#handlesAtFirst),
    };
  }

  get #file(): string {
    return this.http.data.databaseUrl.slice('sqlite:'.length);
  }

  async #snapshots(): Promise<number> {
    if (this.#engine.name === 'sqlite') return this.#isLogHeld() ? 1 : 0;
    const { reader } = this.http.data.registry.storage;
    return (await execute(reader, `select pid ${snapshotsOfThisDatabase}`)).length;
  }

  /** The log can be truncated only when no reader uses an older snapshot. */
  #isLogHeld(): boolean {
    const database = new DatabaseSync(this.#file);
    try {
      database.exec('create table if not exists held (at integer); delete from held; insert into held values (1)');
      return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0;
    } finally {
      database.close();
    }
  }

  /**
   * How often this process has the database's log open: once for each SQLite connection. (SQLite keeps the database
   * file of a closed connection open for the next, since closing it would release the locks of all.)
   */
  #handles(): number {
    if (this.#engine.name !== 'sqlite') return 0;
    const log = statSync(`${this.#file}-wal`).ino;
    return readdirSync('/dev/fd').filter((descriptor) => inodeOf(Number(descriptor)) === log).length;
  }

  #connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.http.listener.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }
}

/** Undefined for the descriptor of the listing itself, which is closed by now. */
function inodeOf(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return undefined;
  }
}

const snapshotsOfThisDatabase = `from pg_stat_activity where datname = current_database()
  and pid <> pg_backend_pid() and (state like 'idle in transaction%'
    or state = 'active' and (query like 'fetch%' or query like '%from "installations"%'))`;
