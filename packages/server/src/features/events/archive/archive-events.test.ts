import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { listEvents, readEventFeed } from '../../../../test/calls/events.ts';
import { sampleRows } from '../../../../test/storage/sample-rows.ts';
import { commandLine, type Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import type { EventArchiveRow, EventRow } from '../../../storage/tables.ts';
import { checkRegistry, InconsistentRegistry } from '../../integrity/check-registry.ts';
import { findWaitingEvent } from '../feed/event-feed-queries.ts';
import { NewEvents } from '../feed/new-events.ts';
import { archiveEvents, restoreArchivedEvents } from './archive-events.ts';
import type { ArchiveFile } from './archive-file.ts';
import { updateEventArchive } from './event-archive-queries.ts';

const dayMs = 86_400_000;
const farFuture = '2999-01-01T00:00:00.000Z';
const longAgo = '2001-01-01T00:00:00Z';
const caller = { ...commandLine, reason: 'Requested.' };

/** The names of an app, each with the day after the start at which the app gets it. The first one creates it. */
type History = Record<string, number>;
const threeDays = { First: 0, Second: 2, Third: 4 };

forEachEngine((engine) => {
  let fixture: RegistryFixture | undefined;
  let start: number;
  let now: number;
  let appId: string;
  beforeEach(async () => {
    await fixture?.close();
    start = Date.now() - 30 * dayMs;
    now = start;
    fixture = await RegistryFixture.open(engine, { now: () => now, webhookAllowPrivate: true });
  });
  after(() => fixture?.close());

  const opened = () => fixture ?? assert.fail();
  const time = (at: number) => new Date(at).toISOString();
  const events = () => rowsOf(opened().registry.storage, 'events');
  const namesLeft = async () => (await events()).map(newName).filter((name) => name !== undefined);
  const archive = (file: ArchiveFile = memoryFile(), before = farFuture) =>
    archiveEvents(opened().registry, { file, before });
  const restore = (file: ArchiveFile) => restoreArchivedEvents(opened().registry, { file });
  const check = (...archives: ArchiveFile[]) => checkRegistry(opened().registry, { archives });
  const list = (query: object, registry = opened().registry) => listEvents(registry, query);
  const statement = (text: string) =>
    opened().registry.storage.write((transaction) => execute(transaction, text)) as Promise<unknown>;
  const rename = (id: string, name: string) =>
    updateAppAsOperator(opened().registry, caller, { appId: id, update: { name } });
  const atDay = (day: number) => {
    now = start + day * dayMs;
  };

  async function make({ ...history }: History = threeDays): Promise<void> {
    const [name = ''] = Object.keys(history);
    atDay(history[name] ?? 0);
    appId = (await opened().newApp({ name })).id;
    delete history[name];
    await goOn(history);
  }

  async function goOn(history: History): Promise<void> {
    for (const [name, day] of Object.entries(history)) {
      atDay(day);
      await rename(appId, name);
    }
  }

  /** Every feed misses what unfinished transactions of the whole database server hold back. */
  async function readFeed(query: object, registry = opened().registry) {
    while (await findWaitingEvent(registry.storage)) await nextTurn();
    const reading = { newEvents: new NewEvents(registry.storage), signal: AbortSignal.abort() };
    return readEventFeed(registry, query, reading);
  }

  /** The same registry, which archives its events before a query of this number, from 0. */
  function archivingBefore(query: number): { registry: Registry; runs: () => boolean } {
    const { registry } = opened();
    const { reader, feedOrder } = registry.storage;
    let left = query;
    const rows: Connection['rows'] = async (statement) => {
      if (left === 0) await archive();
      left -= 1;
      return reader.rows(statement);
    };
    const storage = { ...registry.storage, feedOrder, reader: Object.assign(Object.create(reader), { rows }) };
    return { registry: { ...registry, storage }, runs: () => left < 0 };
  }

  describe('old events move to a file, and', () => {
    const rows: [what: string, history: History, day: number, left: string[], before?: number][] = [
      ['those of the last day stay', threeDays, 4, ['Third']],
      ['those since the given time stay', threeDays, 4, ['Second', 'Third'], 2],
      ['with a clock that is ahead, those of the day before the newest stay', threeDays, 369, ['Third']],
      ['with a clock that is behind, those that are recent by it stay', threeDays, -361, ['First', 'Second', 'Third']],
      [
        'one of a clock that was ahead goes with those before the next one',
        { First: 0, Ahead: 80, 'Right again': 0, Young: 2 },
        2,
        ['Young'],
      ],
      ['one of a clock that was ahead stays while it is the newest', { First: 0, Ahead: 82 }, 2, ['Ahead']],
      [
        'one of a clock that was ahead stays while the next one is young',
        { First: 0, Ahead: 82, Young: 2 },
        2,
        ['Ahead', 'Young'],
      ],
      [
        'one of a clock that was behind makes none before it old',
        { First: 0, Young: 2, Behind: 0.9, Newest: 2 },
        2,
        ['Young', 'Behind', 'Newest'],
      ],
      ['the newest stays, regardless of its age', { First: 0 }, 9, ['First']],
    ];
    for (const [what, history, day, left, before] of rows) {
      test(`${what}, and all are restored as they were`, async () => {
        await make(history);
        const all = await events();
        const file = memoryFile();
        atDay(day);
        const result = await archive(file, before === undefined ? farFuture : time(start + before * dayMs));
        assert.equal(result.stoppedAt.reason, before === undefined ? 'too_young' : 'time_given');
        assert.deepEqual(await namesLeft(), left);
        assert.equal(await file.exists(), result.events > 0);
        if (result.events > 0) {
          assert.equal(result.archive, 1);
          assert.deepEqual([...linesIn(file).slice(1, -1), ...(await events())], all);
          await check(file);
        }
        await rename(appId, 'Later');
        const [later = assert.fail()] = (await events()).slice(-1);
        assert.equal(newName(later), 'Later', 'later ids follow');
        if (result.events === 0) return;
        assert.deepEqual(await restore(file), { restored: result.events });
        assert.deepEqual(await events(), [...all, later]);
        assert.deepEqual(await restore(file), { restored: 0 });
        await check();
      });
    }

    test('an invalid time is refused', async () => {
      await assert.rejects(archive(memoryFile(), 'yesterday'), { code: 'invalid_content' });
    });
  });

  describe('still needed are', () => {
    /** Asserts that archiving stops at this event for this reason, which names what needs it. */
    async function assertStopsAt(
      reason: string,
      needing: string,
      isFirst: (event: EventRow) => boolean,
    ): Promise<void> {
      const first = (await events()).findIndex(isFirst);
      const { stoppedAt, events: archived } = await archive();
      assert.deepEqual([stoppedAt.reason, archived], [reason, first]);
      assert.ok(stoppedAt.detail.includes(needing), stoppedAt.detail);
    }

    test('the first event with a delivery, also once that is finished, and all after it', async () => {
      await make();
      const { id: eventId } = (await events()).find((event) => newName(event) === 'Second') ?? assert.fail();
      const { storage } = opened().registry;
      await storage.write(async (transaction) => {
        const [webhook] = sampleRows.webhooks;
        const [delivery] = sampleRows.deliveries;
        await transaction.insertNew('webhooks', [webhook as never]);
        const finished = { ...delivery, event_id: eventId, state: 'delivered', finished_at: 1 };
        await transaction.insertAll('deliveries', [finished as never]);
      });
      await assertStopsAt('delivery', eventId, ({ id }) => id === eventId);
    });

    test('the events of an undecided change, from the last approval on', async () => {
      const app = await opened().newApp({ status: 'APPROVED' });
      await rename(app.id, 'Changed since approval');
      await make({ Other: 2, 'Other again': 4 });
      await assertStopsAt('undecided_change', app.id, ({ type }) => type === 'app.approved');
    });

    test('the events of an undecided change, from the last approval of a change on', async () => {
      const app = await opened().newApp({ status: 'APPROVED' });
      await rename(app.id, 'Second');
      await opened().review(app.id, 'approve');
      atDay(2);
      await rename(app.id, 'Third');
      await rename(app.id, 'Fourth');
      await reviewApp(opened().registry, caller, { appId: app.id, step: 'approve', revision: 3 });
      await make({ Other: 4 });
      const all = await events();
      const approved = all.findLast(({ type }) => type === 'app.change_approved');
      await assertStopsAt('undecided_change', app.id, ({ id }) => id === approved?.id);
    });

    test('what is left of the events of a change whose approval is archived, and none after its rejection', async () => {
      const app = await opened().newApp({ status: 'APPROVED' });
      await make({ Other: 2 });
      await archive();
      const isOfApp = ({ app_id: id }: EventRow) => id === app.id;
      assert.ok(!(await events()).some(isOfApp));
      await rename(app.id, 'Changed');
      await goOn({ 'Other again': 4, 'Another time': 6 });
      await assertStopsAt('undecided_change', app.id, isOfApp);
      await statement(`update settings set changes_to_approved = 'hold'`);
      const details = { message: 'No.' };
      await reviewApp(opened().registry, caller, { appId: app.id, step: 'reject-change', details });
      assert.equal((await archive()).stoppedAt.reason, 'too_young');
    });

    test('all events of an app that awaits its first review', async () => {
      const app = await opened().newApp({ status: 'AWAITING_REVIEW' });
      await make({ Other: 2 });
      await assertStopsAt('undecided_change', app.id, ({ app_id: id }) => id === app.id);
    });

    test('on PostgreSQL, events that follow a retained one in the feed', async () => {
      await make({ First: 0, Second: 1, Young: 4 });
      const [last] = (await events()).slice(-3);
      const isOrderedByCommit = opened().registry.storage.engine === 'postgres';
      // As when both were made at once, and the one with the lesser id was committed later.
      if (isOrderedByCommit) {
        await statement(`update events set position = (select max(position) from events) where id = '${last?.id}'`);
      }
      await archive(memoryFile(), time(start + dayMs));
      assert.equal((await namesLeft()).includes('First'), isOrderedByCommit);
    });
  });

  describe('nothing is deleted', () => {
    test('unless the file holds it', async () => {
      await make();
      const before = await events();
      const file = memoryFile();
      const damaged: ArchiveFile = {
        ...file,
        async create(bytes) {
          await file.create(bytes);
          file.content = file.content.subarray(0, -20);
        },
      };
      await assert.rejects(archive(damaged), { name: 'ArchiveRefused', message: /cannot be decompressed/ });
      const full = () => Promise.reject(new Error('the disk is full'));
      await assert.rejects(archive({ ...memoryFile(), create: full }), /the disk is full/);
      assert.deepEqual(await events(), before);
    });

    test('if the file has another content', async () => {
      await make();
      const before = await events();
      const copy = memoryFile();
      await assert.rejects(archive({ ...copy, read: unreadable }));
      const text = gunzipSync(copy.content).toString();
      const [header, first, second, ...others] = text.split('\n');
      for (const [content, message] of [
        ['not an archive\n', /not JSON/],
        ['{"some":"object"}\n', /is not an event archive/],
        [text.replace('Second', 'Sicond'), /checksum/],
        [[header, second, first, ...others].join('\n'), /out of order/],
        [`${text.split('\n').slice(0, -2).join('\n')}\n`, /its end is missing/],
        [forged(text, 'Second', 'Forged'), /are not those of the database/],
      ] as const) {
        await assert.rejects(archive(memoryFile(gzipSync(content))), { name: 'ArchiveRefused', message });
        assert.deepEqual(await events(), before);
      }
    });

    test('twice: an archive whose file was written is completed by the next run', async () => {
      await make();
      const file = memoryFile();
      await assert.rejects(archive({ ...file, read: unreadable }), /cannot be read/);
      const before = await events();
      const { events: archived } = await archive(file);
      assert.equal((await events()).length, before.length - archived);
      assert.deepEqual(await archive(file), await archive(file));
    });
  });

  test('a file that was changed after it was archived, checksum included, is not restored', async () => {
    await make();
    const file = memoryFile();
    await archive(file);
    const content = gzipSync(forged(gunzipSync(file.content).toString(), 'Second', 'Forged'));
    const left = await events();
    await assert.rejects(restore(memoryFile(content)), /not the one that the registry stored. Nothing was changed/);
    await assert.rejects(restore(changing(file.content, content)), /changed while it was read/);
    await assert.rejects(archive(memoryFile(content)), /are not those of the database/);
    assert.deepEqual(await events(), left);
    assert.equal((await restore(file)).restored > 0, true);
  });

  test('an archive whose text begins with a byte order mark is restored', async () => {
    await make();
    const copy = memoryFile();
    const { events: archived } = await archive(copy);
    const marked = memoryFile(gzipSync(`\ufeff${gunzipSync(copy.content)}`));
    assert.deepEqual(await restore(marked), { restored: archived });
  });

  test('archives follow each other, and only the last one can be restored', async () => {
    await make();
    const before = await events();
    const [first, second] = [memoryFile(), memoryFile()];
    await archive(first);
    await goOn({ Fourth: 6, Fifth: 8 });
    assert.equal((await archive(second)).archive, 2);
    await assert.rejects(restore(first), { name: 'ArchiveRefused' });
    assert.equal((await check(first, second)).archivedEvents, before.length + 1);
    await check(second);
    await assert.rejects(check(first), InconsistentRegistry);
    await restore(second);
    await restore(first);
    assert.equal((await events()).length, before.length + 2);
    await check();
  });

  test('an archive that is only partly archived or restored must be completed before the next one', async () => {
    await make();
    await archive();
    for (const [state, message] of [
      ['deleting', /only partly archived\. Repeat "event archive"/],
      ['restoring', /only partly restored\. Repeat "event restore"/],
    ] as const) {
      await statement(`update event_archives set state = '${state}'`);
      await assert.rejects(archive(), message);
    }
  });

  test('progress is recorded only where no other process has made any since', async () => {
    await make();
    await archive();
    const { storage } = opened().registry;
    const [{ number, state, moved } = assert.fail()] = await rowsOf(storage, 'event_archives');
    const record = (before: Pick<EventArchiveRow, 'state' | 'moved'>) =>
      storage.write((transaction) => updateEventArchive(transaction, { number, state, moved, before }));
    assert.equal(await record({ state: 'restoring', moved }), 0);
    assert.equal(await record({ state, moved: moved - 1 }), 0);
    assert.equal(await record({ state, moved }), 1);
  });

  describe('the check finds', () => {
    test('that an archive before another is missing', async () => {
      await make();
      await archive();
      await goOn({ Fourth: 6, Fifth: 8 });
      await archive();
      await statement('delete from event_archives where number = 1');
      await assert.rejects(check(), (error) => {
        assert.ok(error instanceof InconsistentRegistry);
        const findings = error.findings.map(({ pointer, code }) => `${pointer} ${code}`);
        assert.deepEqual(findings, ['/event_archives/2 not_found']);
        return true;
      });
    });

    test('an object without an event that no archive can hold', async () => {
      await make();
      await archive();
      const app = await opened().newApp();
      await statement(`delete from events where type = 'app.created' and app_id = '${app.id}'`);
      await assert.rejects(check(), InconsistentRegistry);
    });

    test('an event that is in the database and in its archive', async () => {
      await make();
      const file = memoryFile();
      await archive(file);
      const [, event] = linesIn(file);
      await opened().registry.storage.write((transaction) => transaction.insertNew('events', [event as never]));
      await assert.rejects(check(file), InconsistentRegistry);
    });

    test('nothing about an object of a clock that was ahead after later archives', async () => {
      await make({ Ahead: 80, Old: 0, 'Less old': 2, Young: 4 });
      atDay(6);
      await archive(memoryFile(), time(now - 5 * dayMs));
      assert.equal((await archive()).archive, 2);
      await check();
    });
  });

  describe('a reader', () => {
    test('of a list from before the end of the archive is refused, and from its end goes on without a gap', async () => {
      await make();
      const before = await list({});
      const { nextCursor } = await list({ limit: 1 });
      const { lastEventId = '' } = await archive();
      const refused = { code: 'invalid_content' };
      for (const query of [{ cursor: nextCursor }, { since: before.items[0]?.id }, { since: longAgo }]) {
        const { errors } = await assertRefused(opened().registry, () => list(query), 'invalid_content');
        assert.match(errors?.[0]?.detail ?? '', /are archived/);
      }
      const rest = before.items.slice(before.items.findIndex(({ id }) => id === lastEventId) + 1);
      assert.deepEqual((await list({ since: lastEventId })).items, rest);
      assert.deepEqual((await list({})).items, rest);
      assert.deepEqual((await list({ sort: '-id' })).items, rest.toReversed());
      assert.deepEqual((await list({ since: time(now) })).items, rest);
      await assert.rejects(list({ since: time(start + 2 * dayMs) }), refused);
    });

    test('of a list since a time goes on after an archived event of a clock that was ahead', async () => {
      await make({ First: 0, Ahead: 80, 'Right again': 0, Young: 2 });
      const [young] = (await list({ sort: '-id', limit: 1 })).items;
      await archive();
      assert.deepEqual((await list({ since: time(now) })).items, [young]);
      await assert.rejects(list({ since: time(now - 1) }), { code: 'invalid_content' });
    });

    test('of the feed is refused at a cursor or a time whose next events are archived, and not at later ones', async () => {
      await make();
      const cursors = [await readFeed({ limit: 1 }), await readFeed({ limit: (await events()).length - 1 })];
      await archive();
      for (const { nextCursor } of cursors) {
        const read = () => readFeed({ cursor: nextCursor });
        const { message } = await assertRefused(opened().registry, read, 'cursor_expired');
        assert.match(message, /archived/);
      }
      await assertRefused(opened().registry, () => readFeed({ since: time(start) }), 'invalid_content');
      const { nextCursor, items } = await readFeed({});
      assert.equal(items.length, 1);
      assert.deepEqual((await readFeed({ cursor: nextCursor })).items, []);
    });

    test('of the feed that is past restored events skips them, and for others they come first', async () => {
      await make();
      const all = await events();
      const file = memoryFile();
      await archive(file);
      const { nextCursor } = await readFeed({});
      await restore(file);
      assert.deepEqual((await readFeed({ cursor: nextCursor })).items, []);
      const ids = (await readFeed({ limit: 100 })).items.map(({ id }) => id);
      assert.deepEqual(
        ids,
        all.map(({ id }) => id),
      );
    });

    const readers: Record<
      string,
      (registry: Registry, from: { id: string; time: string }) => Promise<{ id: string }[]>
    > = {
      'a list from an event': async (registry, { id }) => (await list({ since: id }, registry)).items,
      'a list from a time': async (registry, { time }) => (await list({ since: time }, registry)).items,
      'the feed from a time': async (registry, { time }) => (await readFeed({ since: time }, registry)).items,
    };
    for (const [what, read] of Object.entries(readers)) {
      test(`of ${what} misses no event that is archived while it is read`, async () => {
        await make();
        await assertComplete(read);
      });
    }

    test('of a list from a cursor misses no event that is archived while it is read', async () => {
      await make();
      let cursor: string | undefined;
      await assertComplete(
        async (registry, { id }) => {
          cursor = (await list({ since: id, limit: 1 })).nextCursor;
          return (await list({ since: id, cursor }, registry)).items;
        },
        { skipped: 1 },
      );
    });

    /** Reads again and again what has just been recorded, while it is archived before each of the queries. */
    async function assertComplete(read: (typeof readers)[string], { skipped = 0 } = {}): Promise<void> {
      const refusals: boolean[] = [];
      for (let isArchived = true; isArchived; ) {
        now += 1_000;
        const from = { id: (await events()).at(-1)?.id ?? '', time: time(now) };
        for (const name of ['One', 'Two', 'Three']) await rename(appId, name);
        now += 2 * dayMs;
        await rename(appId, 'Young');
        const ids = (await events()).map(({ id }) => id).slice(skipped - 4);
        const { registry, runs } = archivingBefore(refusals.length);
        const found = await read(registry, from).catch(() => null);
        if (found) {
          const foundIds = found.map(({ id }) => id);
          assert.deepEqual(foundIds, ids, `archived before query ${refusals.length}`);
        }
        refusals.push(found === null);
        isArchived = runs();
      }
      assert.ok(refusals.includes(true));
    }

    test('of a search continues after the archives, and learns which ones it cannot read', async () => {
      await make();
      const query = { field: 'name', contains: 'TH' };
      const archivesOf = async (more: object) => {
        const { items, archived } = await list({ ...query, ...more });
        return [items.map(({ id }) => id), archived?.firstArchive, archived?.lastArchive];
      };
      const { nextCursor: cursor } = await list({ field: 'name', limit: 1 });
      const first = (await list({ limit: 1 })).items[0]?.id;
      const third = (await events()).at(-1)?.id;
      assert.deepEqual(await archivesOf({}), [[third], undefined, undefined]);
      const { lastEventId } = await archive();
      await goOn({ Fourth: 6, Fifth: 8 });
      const { archived } = await list(query);
      assert.deepEqual([archived?.firstArchive, archived?.lastEventId], [1, lastEventId]);
      const { lastEventId: lastOfSecond } = await archive();
      const fifth = (await events()).at(-1)?.id;
      for (const more of [{}, { since: longAgo }, { since: first }]) {
        assert.deepEqual(await archivesOf(more), [[fifth], 1, 2]);
      }
      const next = await list({ field: 'name', cursor });
      assert.deepEqual([next.items.length, next.archived?.firstArchive], [1, 1]);
      assert.deepEqual(await archivesOf({ since: lastEventId }), [[fifth], 2, 2]);
      for (const since of [lastOfSecond, time(now)]) {
        assert.deepEqual(await archivesOf({ since }), [[fifth], undefined, undefined]);
      }
    });

    test('of a search since a time does not learn of an archive of older events that follow one of a clock that was ahead', async () => {
      await make({ First: 0, Ahead: 80, 'Right again': 0, 'Less young': 2 });
      await archive();
      await goOn({ Young: 4 });
      assert.equal((await archive()).archive, 2);
      const { items, archived } = await list({ field: 'name', since: time(now) });
      assert.deepEqual([items.length, archived?.firstArchive, archived?.lastArchive], [1, 1, 1]);
    });
  });
});

interface MemoryFile extends ArchiveFile {
  content: Buffer;
}

function memoryFile(content: Buffer = Buffer.alloc(0)): MemoryFile {
  const file: MemoryFile = {
    name: 'events.jsonl.gz',
    content,
    exists: async () => file.content.length > 0,
    async create(bytes) {
      for await (const chunk of bytes) file.content = Buffer.concat([file.content, chunk]);
    },
    async *read() {
      yield file.content;
    },
  };
  return file;
}

/** A file that has another content each time it is read. */
function changing(...contents: Buffer[]): ArchiveFile {
  const left = contents.values();
  return {
    ...memoryFile(),
    async *read() {
      yield left.next().value ?? assert.fail();
    },
  };
}

/** The lines of an archive with another text, and the checksum of it. */
function forged(text: string, from: string, to: string): string {
  const [end = '', ...lines] = text.replace(from, to).trimEnd().split('\n').toReversed();
  const body = lines
    .toReversed()
    .map((line) => `${line}\n`)
    .join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ ...JSON.parse(end), sha256 })}\n`;
}

async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('it cannot be read'));
}

function linesIn({ content }: MemoryFile): object[] {
  const lines = gunzipSync(content).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The name that an event's change gave its app. */
function newName({ after }: EventRow): string | undefined {
  return JSON.parse(after ?? '{}').name;
}
