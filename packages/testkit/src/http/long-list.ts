import assert from 'node:assert/strict';
import { fstatSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorApp } from '../../../server/src/contract/operator-app.ts';
import { execute } from '../../../server/src/storage/testing/storage-test.ts';
import type { Engine } from '../engines/engines.ts';
import { addInstallations } from '../registry/many-installations.ts';
import { bearer, HttpFixture, type HttpFixtureSettings } from './http-fixture.ts';
import type { Answer } from './response.ts';
import { StreamedResponse } from './streamed-response.ts';

/** So many installations are more than the buffers of two sockets hold: their reader must read. */
export const moreThanBuffers = 100_000;

/** An app with many installations, its name one that a careless reader of JSON would stumble over. */
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

  /** Once there is room: that of an answer that was cut is there a moment later. */
  async getWithRoom(headers: Record<string, string> = {}): Promise<StreamedResponse> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const answer = await this.get(headers);
      if (answer.status !== 503) return answer;
      answer.vanish();
      assert.ok(Date.now() < deadline, 'room is made');
      await sleep(20);
    }
  }

  head(headers: Record<string, string> = {}): Promise<Answer> {
    const { platform } = this.http.tokens;
    return this.http.send({ method: 'HEAD', path: this.path, headers: { ...bearer(platform), ...headers } });
  }

  /** All that comes over a connection of its own; an error when it was reset. */
  async exchange(version: '1.0' | '1.1', headers: Record<string, string> = {}): Promise<string> {
    const socket = connect(await this.http.port(), '127.0.0.1');
    const fields = { host: 'localhost', connection: 'close', ...bearer(this.http.tokens.platform), ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${this.path} HTTP/${version}\r\n${lines.join('')}\r\n`);
    return text(socket.setEncoding('latin1'));
  }

  /** From now on the database fails at this place of the list, and everything but the list is as ever. */
  async failAt(position: number): Promise<void> {
    const { storage } = this.http.data.registry;
    const at = `select id from installations order by created_at, id limit 1 offset ${position}`;
    const [row] = await execute(storage.reader, at);
    // On both engines: the smallest number has no positive counterpart, and is not known before it is asked for.
    const failing = 'abs(length(id) - length(id) - 9223372036854775807 - 1)';
    await storage.write(async (transaction) => {
      await execute(transaction, 'alter table installations rename to sound_installations');
      await execute(
        transaction,
        `create view installations as select id, app_id, workspace_id, user_id, created_at,
          case when id = '${row?.id}' then ${failing} else enabled end as enabled from sound_installations`,
      );
    });
  }

  /** After `failAt`. */
  async mend(): Promise<void> {
    await this.http.data.registry.storage.write(async (transaction) => {
      await execute(transaction, 'drop view installations');
      await execute(transaction, 'alter table sound_installations rename to installations');
    });
  }

  /** Takes the database away from whoever reads a list. */
  async breakDatabase(): Promise<void> {
    if (this.#engine.name === 'sqlite') return truncateSync(this.#file, 100_000);
    const { reader } = this.http.data.registry.storage;
    const ended = await execute(reader, `select pg_terminate_backend(pid, 5000) ${snapshotsOfThisDatabase}`);
    assert.ok(ended.length > 0, 'somebody reads a list');
  }

  /** No connection to a client, no snapshot of the database, and no file that one was read from. */
  async assertNothingLeft(): Promise<void> {
    const nothing = { connections: 0, snapshots: 0, handles: 0 };
    const deadline = Date.now() + 10_000;
    let left = await this.#left();
    while (Object.values(left).some((count) => count > 0) && Date.now() < deadline) {
      await sleep(20);
      left = await this.#left();
    }
    assert.deepEqual(left, nothing);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  async #left() {
    return {
      connections: await this.#connections(),
      snapshots: await this.#snapshots(),
      handles: this.#handles() - this.#handlesAtFirst,
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

  /** The log can be cut to nothing only when nobody reads of what was before it. */
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
   * How often this process has the log of the database open, which each connection to SQLite does for itself.
   * (The file of a closed one is kept for the next, as closing it would release the locks of all.)
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
