import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformApp } from '../../contract/app.ts';
import type { OperatorApp } from '../../contract/operator-app.ts';
import { deleteInstallation } from '../../registry/delete-installation.ts';
import { commandLine } from '../../registry/registry.ts';
import { execute } from '../../storage/testing/storage-test.ts';
import { type Engine, forEachEngine } from '../../testing/engines.ts';
import { bearer, HttpFixture, type HttpFixtureSettings } from '../../testing/http-fixture.ts';
import { addInstallations } from '../../testing/many-installations.ts';
import { StreamedAnswer } from '../../testing/streamed-answer.ts';

const gzip = { 'accept-encoding': 'gzip' };
/** More than the buffers of two sockets hold. */
const enough = 100_000;

forEachEngine((engine) => {
  describe('a long list', () => {
    const count = 200_000;
    let long: Long;
    before(async () => {
      long = await Long.open(engine, { count });
    });
    after(() => long.close());

    test('is answered whole, in the order of creation and then of id', async () => {
      const answer = await long.get();
      assert.deepEqual(
        [answer.status, answer.headers['content-type'], answer.headers['transfer-encoding']],
        [200, 'application/json', 'chunked'],
      );
      const view: PlatformApp = JSON.parse(await answer.text());
      assert.equal(view.installations.length, count);
      assert.equal((await long.http.updateApp(long.app.id, {})).view.installationCount, count);
      const order = view.installations.map(({ createdAt, id }) => `${createdAt} ${id}`);
      assert.deepEqual(order, order.toSorted());
      assert.equal(new Set(order).size, count);
    });

    test('has the same text with gzip, under another ETag', async () => {
      const [plain, coded] = [await long.get(), await long.get(gzip)];
      assert.equal(coded.headers['content-encoding'], 'gzip');
      assert.notEqual(coded.headers.etag, plain.headers.etag);
      assert.ok((await plain.text()) === (await coded.text()));
    });

    test('is answered 304 to a reader who has it', async () => {
      for (const headers of [{}, gzip]) {
        const answer = await long.get(headers);
        answer.vanish();
        const known = answer.headers.etag ?? '';
        const { status, text, etag } = await long.http.getApp(long.app.id, { ...headers, 'if-none-match': known });
        assert.deepEqual([status, text, etag], [304, '', known]);
      }
    });

    test('to HEAD is the header of the same GET', async () => {
      for (const headers of [{}, gzip]) {
        const [head, get] = [await long.head(headers), await long.get(headers)];
        get.vanish();
        for (const name of ['etag', 'content-type', 'content-encoding', 'vary', 'cache-control']) {
          assert.equal(head.headers[name], get.headers[name], name);
        }
        assert.equal(head.text, '');
        assert.equal('content-length' in head.headers, false);
      }
    });

    test('is of one moment, whatever is changed while it is read', async () => {
      const before = await (await long.get()).text();
      const answer = await long.get();
      await answer.read(100_000);
      const { data } = long.http;
      const { installations } = JSON.parse(before) as PlatformApp;
      await deleteInstallation(data.registry, commandLine, installations.at(-1)?.id ?? '');
      await data.install(long.app);
      await long.http.updateApp(long.app.id, { name: 'Renamed meanwhile' });
      assert.ok((await answer.text()) === before);

      const now: PlatformApp = JSON.parse(await (await long.get()).text());
      assert.equal(now.name, 'Renamed meanwhile');
      assert.equal(now.installations.length, count);
      assert.equal(now.installations.at(-1)?.userId, long.app.developerId);
    });

    test('does not keep others waiting', async () => {
      const other = await long.http.data.newApp();
      let done = false;
      const text = long.get(gzip).then(async (answer) => {
        await answer.text();
        done = true;
      });
      let answered = 0;
      for (; !done && answered < 20; answered += 1) assert.equal((await long.http.getApp(other.id)).status, 200);
      assert.equal(answered, 20, 'answered before the end of the long list');
      await text;
    });
  });

  describe('around the length from which a list is streamed', () => {
    for (const count of [0, 999, 1_000, 1_001, 1_249, 1_250, 1_251]) {
      test(`${count} installations are the text that JSON gives`, async (context) => {
        const long = await Long.open(engine, { count });
        context.after(() => long.close());
        const answer = await long.get();
        assert.equal(answer.headers['transfer-encoding'] === 'chunked', count > 1_000);
        const text = await answer.text();
        const view: PlatformApp = JSON.parse(text);
        assert.equal(text, JSON.stringify(view));
        assert.deepEqual(Object.keys(view), [
          ...['id', 'name', 'createdAt', 'updatedAt', 'reviewStatus', 'developer', 'installations'],
        ]);
        assert.equal(view.name, `"installations":[] & "`);
        assert.equal(view.installations.length, count);
      });
    }
  });

  describe('nothing is left behind', () => {
    let long: Long;
    before(async () => {
      long = await Long.open(engine, { count: enough, streamsMax: 2, stallMsMax: 300 });
    });
    after(() => long.close());

    test('by readers who have read to the end', async () => {
      for (let count = 0; count < 3; count += 1) await (await long.get()).text();
      await long.assertNothingLeft();
    });

    test('by readers who vanish, before they read and while they do', async () => {
      for (const headers of [{}, gzip, {}, gzip]) {
        const answer = await long.get(headers);
        if (headers !== gzip) await answer.read(200_000);
        answer.vanish();
        await long.assertNothingLeft();
      }
    });

    test('not even a word in the log, as it was no fault of the registry', () => {
      assert.deepEqual(
        long.http.log.lines.filter(({ level }) => level > 30),
        [],
      );
    });

    test('by a reader who takes nothing any more, whose answer is cut', async () => {
      const answer = await long.get();
      await answer.read(1);
      await long.assertNothingLeft();
      await assert.rejects(answer.text(), { code: 'ECONNRESET' });
    });

    test('while a reader who is slow, and takes something now and then, gets it all', async () => {
      const answer = await long.get();
      for (let count = 0; count < 6; count += 1) {
        await answer.read(2_000_000);
        await sleep(120);
      }
      const view: PlatformApp = JSON.parse(await answer.text());
      assert.equal(view.installations.length, enough);
      await long.assertNothingLeft();
    });

    test('more of them at one time than are allowed are answered 503, and other apps as ever', async () => {
      const open = [await long.get(), await long.get()];
      const refused = await long.http.getApp(long.app.id);
      assert.equal(refused.refusal, '503 unavailable');
      assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal((await long.head({})).status, 200);
      assert.equal((await long.http.getApp((await long.http.data.newApp()).id)).status, 200);
      for (const answer of open) answer.vanish();
      await long.assertNothingLeft();
      assert.equal((await long.get()).status, 200);
      await long.assertNothingLeft();
    });
  });

  for (const headers of [{}, gzip]) {
    test(`a fault in the middle cuts the answer${headers === gzip ? ' with gzip' : ''}`, async (context) => {
      const long = await Long.open(engine, { count: enough });
      context.after(() => long.close());
      const answer = await long.get(headers);
      await answer.read(20_000);
      await long.breakDatabase();
      await assert.rejects(answer.text(), { code: 'ECONNRESET' });
      const told = long.http.log.lines.filter(({ msg }) => msg === 'an answer was cut');
      assert.equal(told.length, 1);
    });
  }
});

/** An app with many installations, its name one that a careless reader of JSON would stumble over. */
class Long {
  readonly http: HttpFixture;
  readonly app: OperatorApp;
  readonly #engine: Engine;

  static async open(engine: Engine, { count, ...settings }: HttpFixtureSettings & { count: number }): Promise<Long> {
    const http = await HttpFixture.open(engine, settings);
    const app = await http.data.newApp({ name: '"installations":[] & "', status: 'APPROVED' });
    const { storage } = http.data.registry;
    await addInstallations(storage, { appId: app.id, count, userId: app.developerId });
    return new Long(http, app, engine);
  }

  private constructor(http: HttpFixture, app: OperatorApp, engine: Engine) {
    this.http = http;
    this.app = app;
    this.#engine = engine;
  }

  async get(headers: Record<string, string> = {}): Promise<StreamedAnswer> {
    const path = `/platform/apps/v1/${this.app.id}`;
    return StreamedAnswer.get(await this.http.port(), path, { ...bearer(this.http.tokens.platform), ...headers });
  }

  head(headers: Record<string, string>) {
    const path = `/platform/apps/v1/${this.app.id}`;
    return this.http.send({ method: 'HEAD', path, headers: { ...bearer(this.http.tokens.platform), ...headers } });
  }

  /** No connection to a client, and no snapshot of the database. */
  async assertNothingLeft(): Promise<void> {
    const deadline = Date.now() + 5_000;
    const left = async () => ({ snapshots: await this.#snapshots(), connections: await this.#connections() });
    let last = await left();
    while (last.snapshots + last.connections > 0 && Date.now() < deadline) {
      await sleep(20);
      last = await left();
    }
    assert.deepEqual(last, { snapshots: 0, connections: 0 });
  }

  /** While it is being read. */
  async breakDatabase(): Promise<void> {
    if (this.#engine.name === 'sqlite') return truncateSync(this.#file, 100_000);
    const { reader } = this.http.data.registry.storage;
    await execute(reader, `select pg_terminate_backend(pid, 5000) ${snapshotsOfThisDatabase}`);
  }

  async close(): Promise<void> {
    await this.http.close();
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

  #connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.http.listener.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }
}

const snapshotsOfThisDatabase = `from pg_stat_activity where datname = current_database()
  and pid <> pg_backend_pid() and (state = 'idle in transaction' or query like 'fetch%' and state = 'active')`;
