import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { listEvents } from '../../../../test/calls/events.ts';
import { Failure } from '../../../kernel/failure.ts';
import { commandLine, type Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import type { EventArchiveRow } from '../../../storage/tables.ts';
import { checkRegistry, InconsistentRegistry } from '../../integrity/check-registry.ts';
import { archiveEvents, restoreArchivedEvents } from './archive-events.ts';
import type { ArchiveFile } from './archive-file.ts';
import { updateEventArchive } from './event-archive-queries.ts';

const dayMs = 86_400_000;
const farFuture = '2999-01-01T00:00:00.000Z';

forEachEngine((engine) => {
  let fixture: RegistryFixture | undefined;
  let now: number;
  beforeEach(async () => {
    await fixture?.close();
    now = Date.now() - 30 * dayMs;
    fixture = await RegistryFixture.open(engine, { now: () => now, webhookAllowPrivate: true });
  });
  after(() => fixture?.close());

  const opened = () => fixture ?? assert.fail();
  const events = () => rowsOf(opened().registry.storage, 'events');
  const archive = (file: ArchiveFile, before = farFuture) => archiveEvents(opened().registry, { file, before });

  /** Events of three days; the last one is today. */
  async function makeHistory(): Promise<string> {
    const app = await opened().newApp();
    await opened().newApp({ status: 'APPROVED' });
    age();
    await rename(app.id, 'Second day');
    age();
    await rename(app.id, 'Third day');
    return app.id;
  }

  /** The same registry, which archives its events before a query of this number, from 0. */
  function archivingBefore(query: number): { registry: Registry; runs: () => boolean } {
    const { registry } = opened();
    const { reader } = registry.storage;
    let left = query;
    const rows: Connection['rows'] = async (statement) => {
      if (left === 0) await archive(memoryFile());
      left -= 1;
      return reader.rows(statement);
    };
    const storage = { ...registry.storage, reader: Object.assign(Object.create(reader), { rows }) };
    return { registry: { ...registry, storage }, runs: () => left < 0 };
  }

  async function rename(appId: string, name: string): Promise<void> {
    await updateAppAsOperator(opened().registry, commandLine, { appId, update: { name } });
  }

  /** By a clock that is ahead for a moment. */
  async function renameAhead(appId: string): Promise<void> {
    now += 80 * dayMs;
    await rename(appId, 'Ahead');
    now -= 80 * dayMs;
  }

  function age(): void {
    now += 2 * dayMs;
  }

  test('old events move to a file and are restored as they were', async () => {
    await makeHistory();
    const before = await events();
    const file = memoryFile();
    const result = await archive(file);
    assert.deepEqual([result.archive, result.stoppedAt.reason], [1, 'too_young']);
    const rest = await events();
    assert.deepEqual(rest.length, before.length - result.events);
    assert.deepEqual(rest.map(newName), ['Third day']);
    assert.deepEqual([...linesIn(file).slice(1, -1), ...rest], before);
    assert.deepEqual(await restoreArchivedEvents(opened().registry, { file }), { restored: result.events });
    assert.deepEqual(await events(), before);
    assert.deepEqual(await restoreArchivedEvents(opened().registry, { file }), { restored: 0 });
  });

  test('reasons are restored with their events', async () => {
    const { registry } = opened();
    const { id: appId } = await opened().newApp();
    const caller = { ...commandLine, actor: 'command-line:nightly', reason: 'Requested.' };
    await updateAppAsOperator(registry, caller, { appId, update: { name: 'Renamed' } });
    age();
    await rename(appId, 'Young');
    const before = await events();
    const file = memoryFile();
    await archive(file);
    await restoreArchivedEvents(registry, { file });
    assert.deepEqual(await events(), before);
  });

  test('events since the given time are not archived', async () => {
    await makeHistory();
    const [, second] = daysOf(await events());
    const { stoppedAt } = await archive(memoryFile(), new Date(second ?? 0).toISOString());
    assert.equal(stoppedAt.reason, 'time_given');
    assert.deepEqual((await events()).map(newName), ['Second day', 'Third day']);
  });

  test('with a clock that is ahead, nothing is archived that is recent relative to the newest event', async () => {
    await makeHistory();
    now += 365 * dayMs;
    await archive(memoryFile());
    assert.equal((await events()).length, 1);
  });

  test('with a clock that is behind, nothing is archived that is recent by that clock', async () => {
    await makeHistory();
    const before = await events();
    now -= 365 * dayMs;
    const file = memoryFile();
    assert.deepEqual((await archive(file)).events, 0);
    assert.equal(await file.exists(), false);
    assert.deepEqual(await events(), before);
  });

  test('an event of a clock that was ahead is archived with those before the next one', async () => {
    const { id } = await opened().newApp();
    await renameAhead(id);
    await rename(id, 'Right again');
    age();
    await rename(id, 'Young');
    const before = await events();
    const file = memoryFile();
    assert.equal((await archive(file)).events, before.length - 1);
    assert.deepEqual([...linesIn(file).slice(1, -1), ...(await events())], before);
    await checkRegistry(opened().registry, { archives: [file] });
    await restoreArchivedEvents(opened().registry, { file });
    assert.deepEqual(await events(), before);
  });

  test('an event of a clock that was ahead stays until the next one is old', async () => {
    const { id } = await opened().newApp();
    age();
    await renameAhead(id);
    const isStaying = async () => {
      await archive(memoryFile());
      return (await events()).some((event) => newName(event) === 'Ahead');
    };
    assert.equal(await isStaying(), true);
    await rename(id, 'Young');
    assert.equal(await isStaying(), true);
    age();
    await rename(id, 'Younger');
    assert.equal(await isStaying(), false);
  });

  test('an event of a clock that was behind makes none before it old', async () => {
    const { id } = await opened().newApp();
    age();
    await rename(id, 'Young');
    now -= dayMs + 1;
    await rename(id, 'Behind');
    now += dayMs + 1;
    await rename(id, 'Newest');
    await archive(memoryFile());
    assert.deepEqual((await events()).map(newName), ['Young', 'Behind', 'Newest']);
  });

  test('the newest event stays, regardless of its time, and the ids of later ones follow it', async () => {
    const { id } = await opened().newApp();
    for (const change of [renameAhead, (appId: string) => rename(appId, 'Right again')]) {
      await change(id);
      age();
      const newest = (await events()).at(-1);
      await archive(memoryFile());
      assert.deepEqual((await events()).at(-1), newest);
      await rename(id, `Later ${newest?.id}`);
      const [, latest = assert.fail()] = (await events()).slice(-2);
      assert.equal(newName(latest), `Later ${newest?.id}`);
    }
  });

  test('the first event with a delivery stays, also once that is finished, and all after it', async () => {
    const appId = await makeHistory();
    const all = await events();
    const delivered = all.findIndex((event) => newName(event) === 'Second day');
    await queueDelivery(all[delivered]?.id ?? '', appId);
    const { stoppedAt, events: archived } = await archive(memoryFile());
    assert.equal(stoppedAt.reason, 'delivery');
    assert.ok(stoppedAt.detail.includes(all[delivered]?.id ?? ''));
    assert.equal(archived, delivered);
  });

  test('the events of an undecided change stay, from the last approval on', async () => {
    const { id } = await opened().newApp();
    const app = await opened().newApp({ status: 'APPROVED' });
    await rename(app.id, 'Changed since approval');
    age();
    await rename(id, 'Other');
    age();
    await rename(id, 'Other again');
    const approved = (await events()).findIndex(({ type }) => type === 'app.approved');
    const { stoppedAt, events: archived } = await archive(memoryFile());
    assert.equal(stoppedAt.reason, 'undecided_change');
    assert.ok(stoppedAt.detail.includes(app.id));
    assert.equal(archived, approved);
  });

  test('the events of an undecided change stay from the last approval of a change on', async () => {
    const app = await opened().newApp({ status: 'APPROVED' });
    await rename(app.id, 'Second');
    await opened().review(app.id, 'approve');
    age();
    await rename(app.id, 'Third');
    await rename(app.id, 'Fourth');
    const step = 'approve' as const;
    await reviewApp(opened().registry, commandLine, { appId: app.id, step, revision: 3 });
    age();
    await opened().newApp();
    const approved = (await events()).findLastIndex(({ type }) => type === 'app.change_approved');
    const { stoppedAt, events: archived } = await archive(memoryFile());
    assert.deepEqual([stoppedAt.reason, archived], ['undecided_change', approved]);
    assert.ok(stoppedAt.detail.includes(app.id));
  });

  test('a change needs the events that are left after its approval was archived, and none after its rejection', async () => {
    const app = await opened().newApp({ status: 'APPROVED' });
    age();
    await opened().newApp();
    await archive(memoryFile());
    assert.ok(!(await events()).some(({ app_id: appId }) => appId === app.id));
    await rename(app.id, 'Changed');
    age();
    await opened().newApp();
    age();
    await opened().newApp();
    const changed = (await events()).findIndex(({ app_id: appId }) => appId === app.id);
    const { stoppedAt, events: archived } = await archive(memoryFile());
    assert.deepEqual([stoppedAt.reason, archived], ['undecided_change', changed]);
    await opened().registry.storage.write((transaction) =>
      execute(transaction, `update settings set changes_to_approved = 'hold'`),
    );
    const details = { message: 'No.' };
    await reviewApp(opened().registry, commandLine, { appId: app.id, step: 'reject-change', details });
    assert.equal((await archive(memoryFile())).stoppedAt.reason, 'too_young');
  });

  test('all events of an app that awaits its first review stay', async () => {
    const app = await opened().newApp({ status: 'AWAITING_REVIEW' });
    age();
    await opened().newApp();
    const created = (await events()).findIndex(({ app_id: appId }) => appId === app.id);
    const { stoppedAt, events: archived } = await archive(memoryFile());
    assert.deepEqual([stoppedAt.reason, archived], ['undecided_change', created]);
  });

  test('nothing is deleted unless the file holds it', async () => {
    await makeHistory();
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
    assert.deepEqual(await events(), before);
  });

  test('a file with another content is refused, and nothing is deleted', async () => {
    await makeHistory();
    const before = await events();
    const file = memoryFile();
    await assert.rejects(archive({ ...file, create: () => Promise.reject(new Error('the disk is full')) }));
    for (const [content, message] of [
      ['not an archive\n', /not JSON/],
      ['{"some":"object"}\n', /is not an event archive/],
      [altered(await archivedCopy(), (text) => text.replace('Second day', 'Sicond day')), /checksum/],
      [altered(await archivedCopy(), (text) => `${text.split('\n').slice(0, -2).join('\n')}\n`), /its end is missing/],
    ] as const) {
      await assert.rejects(archive(memoryFile(content)), { name: 'ArchiveRefused', message });
      assert.deepEqual(await events(), before);
    }
  });

  test('archives follow each other, and only the last one can be restored', async () => {
    const appId = await makeHistory();
    const before = await events();
    const [first, second] = [memoryFile(), memoryFile()];
    await archive(first);
    age();
    await rename(appId, 'Fourth day');
    age();
    await rename(appId, 'Fifth day');
    assert.equal((await archive(second)).archive, 2);
    const { registry } = opened();
    await assert.rejects(restoreArchivedEvents(registry, { file: first }), { name: 'ArchiveRefused' });
    assert.equal((await checkRegistry(registry, { archives: [first, second] })).archivedEvents, before.length + 1);
    await checkRegistry(registry, { archives: [second] });
    await assert.rejects(checkRegistry(registry, { archives: [first] }), InconsistentRegistry);
    await restoreArchivedEvents(registry, { file: second });
    await restoreArchivedEvents(registry, { file: first });
    assert.equal((await events()).length, before.length + 2);
    await checkRegistry(registry);
  });

  test('an archive whose file was written and nothing deleted is completed by the next run', async () => {
    await makeHistory();
    const file = memoryFile();
    await assert.rejects(archive({ ...file, read: unreadable }), /cannot be read/);
    const before = await events();
    const { events: archived } = await archive(file);
    assert.equal((await events()).length, before.length - archived);
    assert.deepEqual(await archive(file), await archive(file));
  });

  test('an archive that is only partly archived or restored must be completed before the next one', async () => {
    await makeHistory();
    await archive(memoryFile());
    const { storage } = opened().registry;
    for (const [state, text] of [
      ['deleting', /only partly archived\. Repeat "event archive"/],
      ['restoring', /only partly restored\. Repeat "event restore"/],
    ] as const) {
      await storage.write((transaction) => execute(transaction, `update event_archives set state = '${state}'`));
      await assert.rejects(archive(memoryFile()), text);
    }
  });

  test('the check finds that an archive before another is missing', async () => {
    const appId = await makeHistory();
    await archive(memoryFile());
    age();
    await rename(appId, 'Fourth day');
    age();
    await rename(appId, 'Fifth day');
    await archive(memoryFile());
    const { registry } = opened();
    await registry.storage.write((transaction) => execute(transaction, 'delete from event_archives where number = 1'));
    await assert.rejects(checkRegistry(registry), (error) => {
      assert.ok(error instanceof InconsistentRegistry);
      assert.deepEqual(
        error.findings.map(({ pointer, code }) => `${pointer} ${code}`),
        ['/event_archives/2 not_found'],
      );
      return true;
    });
  });

  test('progress is recorded only where no other process has made any since', async () => {
    await makeHistory();
    await archive(memoryFile());
    const { storage } = opened().registry;
    const [{ number, state, moved } = assert.fail()] = await rowsOf(storage, 'event_archives');
    const record = (before: Pick<EventArchiveRow, 'state' | 'moved'>) =>
      storage.write((transaction) => updateEventArchive(transaction, { number, state, moved, before }));
    assert.equal(await record({ state: 'restoring', moved }), 0);
    assert.equal(await record({ state, moved: moved - 1 }), 0);
    assert.equal(await record({ state, moved }), 1);
  });

  test('the check accepts objects whose creation is archived, and no others without an event', async () => {
    await makeHistory();
    const file = memoryFile();
    await archive(file);
    const { registry } = opened();
    await checkRegistry(registry, { archives: [file] });
    const app = await opened().newApp();
    await registry.storage.write((transaction) =>
      execute(transaction, `delete from events where type = 'app.created' and app_id = '${app.id}'`),
    );
    await assert.rejects(checkRegistry(registry), InconsistentRegistry);
  });

  test('the check finds an event that is in the database and in its archive', async () => {
    await makeHistory();
    const file = memoryFile();
    await archive(file);
    const { registry } = opened();
    const [, event] = linesIn(file);
    await registry.storage.write((transaction) => transaction.insertNew('events', [event as never]));
    await assert.rejects(checkRegistry(registry, { archives: [file] }), InconsistentRegistry);
  });

  test('the check accepts an object of a clock that was ahead after later archives', async () => {
    now += 80 * dayMs;
    const { id } = await opened().newApp();
    now -= 80 * dayMs;
    for (const name of ['Old', 'Less old', 'Young']) {
      await rename(id, name);
      age();
    }
    await archive(memoryFile(), new Date(now - 5 * dayMs).toISOString());
    assert.equal((await archive(memoryFile())).archive, 2);
    await checkRegistry(opened().registry);
  });

  test('a list from before the end of the archive is refused, and one from its end goes on without a gap', async () => {
    await makeHistory();
    const { registry } = opened();
    const before = await listEvents(registry, {});
    const { nextCursor } = await listEvents(registry, { limit: 1 });
    const { lastEventId = '' } = await archive(memoryFile());
    const at = before.items.findIndex(({ id }) => id === lastEventId);
    const first = before.items[0]?.id;
    for (const query of [{ cursor: nextCursor }, { since: first }, { since: '2001-01-01T00:00:00Z' }]) {
      await assert.rejects(listEvents(registry, query), (error) => {
        assert.ok(error instanceof Failure && error.code === 'invalid_content');
        return /are archived/.test(error.errors?.[0]?.detail ?? '');
      });
    }
    const rest = before.items.slice(at + 1);
    assert.deepEqual((await listEvents(registry, { since: lastEventId })).items, rest);
    assert.deepEqual((await listEvents(registry, {})).items, rest);
    assert.deepEqual((await listEvents(registry, { newestFirst: true })).items, rest.toReversed());
  });

  for (const [from, queryOf] of Object.entries({
    'an event': async (since: string) => ({ since }),
    'a time': async (_since: string, time: string) => ({ since: time }),
    'a cursor': async (since: string) => {
      const { nextCursor: cursor } = await listEvents(opened().registry, { since, limit: 1 });
      return { since, cursor };
    },
  })) {
    test(`a list from ${from} misses no event that is archived while it is read`, async () => {
      const appId = await makeHistory();
      const refusals: boolean[] = [];
      for (let isArchived = true; isArchived; ) {
        const [since = '', time] = [(await events()).at(-1)?.id, new Date(now + 1_000).toISOString()];
        now += 1_000;
        for (const name of ['One', 'Two', 'Three']) await rename(appId, name);
        age();
        await rename(appId, 'Young');
        const query = await queryOf(since, time);
        const ids = (await events()).map(({ id }) => id).slice('cursor' in query ? -3 : -4);
        const { registry, runs } = archivingBefore(refusals.length);
        const page = await listEvents(registry, query).catch(() => null);
        if (page)
          assert.deepEqual(
            page.items.map(({ id }) => id),
            ids,
            `archived before query ${refusals.length}`,
          );
        refusals.push(page === null);
        isArchived = runs();
      }
      assert.ok(refusals.includes(true));
    });
  }

  test('a search continues after the archives, and names those whose events it cannot read', async () => {
    const appId = await makeHistory();
    const { registry } = opened();
    const query = { field: 'name', contains: 'DAY' };
    const before = await listEvents(registry, query);
    assert.equal(before.archived, undefined);
    const { nextCursor: cursor } = await listEvents(registry, { ...query, limit: 1 });
    const oldest = (await listEvents(registry, { limit: 1 })).items[0]?.id;
    const { lastEventId } = await archive(memoryFile());
    age();
    await rename(appId, 'Fourth day');
    age();
    await rename(appId, 'Fifth day');
    const { archived, items } = await listEvents(registry, query);
    assert.deepEqual(items.slice(0, 1), before.items.slice(-1));
    assert.deepEqual([archived?.firstArchive, archived?.lastArchive, archived?.lastEventId], [1, 1, lastEventId]);
    await archive(memoryFile());
    const last = (await listEvents(registry, { newestFirst: true, limit: 1 })).items;
    for (const more of [{}, { since: '2001-01-01T00:00:00Z' }, { since: oldest }, { cursor }]) {
      const page = await listEvents(registry, { ...query, ...more });
      assert.deepEqual([page.items, page.archived?.firstArchive, page.archived?.lastArchive], [last, 1, 2]);
    }
    const sinceFirst = await listEvents(registry, { ...query, since: lastEventId });
    assert.deepEqual([sinceFirst.archived?.firstArchive, sinceFirst.archived?.lastArchive], [2, 2]);
    for (const since of [sinceFirst.archived?.lastEventId, new Date(now).toISOString()]) {
      const page = await listEvents(registry, { ...query, since });
      assert.deepEqual([page.items, page.archived], [last, undefined]);
    }
  });

  test('a search since a time does not name an archive of older events that follow one of a clock that was ahead', async () => {
    const { id } = await opened().newApp();
    await renameAhead(id);
    await rename(id, 'Right again');
    age();
    await rename(id, 'Less young');
    await archive(memoryFile());
    age();
    await rename(id, 'Young');
    assert.equal((await archive(memoryFile())).archive, 2);
    const since = new Date(now).toISOString();
    const { items, archived } = await listEvents(opened().registry, { field: 'name', since });
    assert.deepEqual([items.length, archived?.firstArchive, archived?.lastArchive], [1, 1, 1]);
  });

  test('a list since a time goes on after an archived event of a clock that was ahead', async () => {
    const { id } = await opened().newApp();
    await renameAhead(id);
    await rename(id, 'Right again');
    age();
    await rename(id, 'Young');
    const [young] = (await listEvents(opened().registry, { newestFirst: true, limit: 1 })).items;
    const since = new Date(now).toISOString();
    await archive(memoryFile());
    assert.deepEqual((await listEvents(opened().registry, { since })).items, [young]);
    const earlier = new Date(now - 1).toISOString();
    await assert.rejects(listEvents(opened().registry, { since: earlier }), { code: 'invalid_content' });
  });

  test('an invalid time is refused', async () => {
    await assert.rejects(archive(memoryFile(), 'yesterday'), { code: 'invalid_content' });
  });

  async function queueDelivery(eventId: string, appId: string): Promise<void> {
    await opened().registry.storage.write(async (transaction) => {
      await execute(
        transaction,
        `insert into webhooks (id, url, secret, created_at, updated_at)
          values ('webhook_1', 'https://hooks.example.com/', 'whsec_AA==', 0, 0)`,
      );
      await execute(
        transaction,
        `insert into deliveries (id, webhook_id, event_id, queue, state, attempts, due_at, created_at, finished_at)
          values ('delivery_1', 'webhook_1', '${eventId}', '${appId}', 'delivered', 1, 0, 0, 1)`,
      );
    });
  }

  /** A copy of what an archive would hold now. */
  async function archivedCopy(): Promise<Buffer> {
    const file = memoryFile();
    await assert.rejects(archive({ ...file, read: unreadable }));
    return file.content;
  }
});

interface MemoryFile extends ArchiveFile {
  content: Buffer;
}

function memoryFile(text?: string | Buffer): MemoryFile {
  const file: MemoryFile = {
    name: 'events.jsonl.gz',
    content: typeof text === 'string' ? gzipSync(text) : (text ?? Buffer.alloc(0)),
    exists: async () => file.content.length > 0,
    async create(bytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      file.content = Buffer.concat(chunks);
    },
    async *read() {
      yield file.content;
    },
  };
  return file;
}

async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('it cannot be read'));
}

function linesIn({ content }: MemoryFile): object[] {
  const lines = gunzipSync(content).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function altered(content: Buffer, change: (text: string) => string): Buffer {
  return gzipSync(change(gunzipSync(content).toString()));
}

/** The name that an event's change gave its app. */
function newName({ after }: { after: string | null }): string | undefined {
  return JSON.parse(after ?? '{}').name;
}

/** The different times of events, in order. */
function daysOf(events: { occurred_at: number }[]): number[] {
  return [...new Set(events.map(({ occurred_at: at }) => at))];
}
