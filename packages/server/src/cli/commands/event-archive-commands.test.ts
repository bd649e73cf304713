import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { eventsAt } from '@appregistrar/testkit/registry/events-at';
import type { EventPage } from '../../features/events/event-query.ts';
import { openStorage } from '../../storage/open-storage.ts';

const dayMs = 86_400_000;
const old = eventsAt(Date.now() - 10 * dayMs, { count: 3, characters: 1 });

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    folder = await mkdtemp(join(tmpdir(), 'archive-'));
    const storage = await openStorage(cli.databaseUrl);
    await storage.write((transaction) => transaction.insertNew('events', old));
    await storage.close();
    await cli.done('developer', 'create', '--email', 'ada@example.com');
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  test('event archive moves old events to a file, which event restore takes back', async () => {
    const file = join(folder, 'one.jsonl.gz');
    const archived = await cli.done<{ events: number }>('event', 'archive', '--before', '2999-01-01T00:00:00Z', file);
    assert.deepEqual(archived, {
      archive: 1,
      events: old.length,
      lastEventId: old.at(-1)?.id,
      stoppedAt: { reason: 'too_young', detail: 'Events of the last 24 hours are not archived.' },
    });
    assert.equal((await cli.done<EventPage>('event', 'list')).items.length, 1);
    assert.equal((await cli.done<{ archivedEvents: number }>('check', '--archive', file)).archivedEvents, old.length);
    assert.deepEqual(await cli.done('event', 'restore', file), { restored: old.length });
    assert.equal((await cli.done<EventPage>('event', 'list')).items.length, old.length + 1);
  });

  test('what killed runs have left beside the file is overwritten, and removed', async () => {
    const file = join(folder, 'killed.jsonl.gz');
    const before = '2999-01-01T00:00:00Z';
    writeFileSync(`${file}.part`, 'half a file');
    await cli.done('event', 'archive', '--before', before, file);
    assert.equal(existsSync(`${file}.part`), false);
    writeFileSync(`${file}.part`, 'killed after the file was named');
    await cli.done('event', 'archive', '--before', before, file);
    assert.equal(existsSync(`${file}.part`), false);
    assert.deepEqual(await cli.done('event', 'restore', file), { restored: old.length });
  });

  test('a file that is no archive is refused and stays as it is', async () => {
    const file = join(folder, 'letter.txt');
    writeFileSync(file, 'Dear Ada');
    const archive = await cli.refused('event', 'archive', '--before', '2999-01-01T00:00:00Z', file);
    const restore = await cli.refused('event', 'restore', file);
    assert.deepEqual([archive.code, restore.code], ['archive_refused', 'archive_refused']);
  });

  test('a file that cannot be written or read is reported, and nothing is deleted', async () => {
    const file = join(folder, 'missing', 'events.jsonl.gz');
    const archive = await cli.refused('event', 'archive', '--before', '2999-01-01T00:00:00Z', file);
    const restore = await cli.refused('event', 'restore', file);
    assert.deepEqual([archive.code, restore.code], ['file_unwritable', 'file_unreadable']);
    assert.equal((await cli.done<EventPage>('event', 'list')).items.length, old.length + 1);
  });

  test('without old events, no file is created', async () => {
    const file = join(folder, 'none.jsonl.gz');
    const result = await cli.done<{ events: number }>('event', 'archive', '--before', '2001-01-01T00:00:00Z', file);
    assert.equal(result.events, 0);
    assert.equal(existsSync(file), false);
  });

  test('event archive needs a time', async () => {
    const file = join(folder, 'time.jsonl.gz');
    assert.equal((await cli.refused('event', 'archive', '--before', 'soon', file)).code, 'invalid_content');
    assert.notEqual((await cli.run('event', 'archive', file)).status, 0);
  });
});
