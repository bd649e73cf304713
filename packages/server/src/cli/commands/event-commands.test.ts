import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { eventsAt } from '@appregistrar/testkit/registry/events-at';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { EventPage } from '../../features/events/event-query.ts';
import { searchLimits } from '../../features/events/search-events.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventRow } from '../../storage/tables.ts';

const insertEvents = (cli: CommandLine, events: EventRow[]) =>
  withRegistry(cli.databaseUrl, ({ storage }) =>
    storage.write((transaction) => transaction.insertNew('events', events)),
  );

describe('event list', () => {
  let cli: CommandLine;
  let app: string;
  before(async () => {
    cli = await CommandLine.open(sqlite);
    const { id: userId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com');
    const create = ['app', 'create', '--developer', userId, '--actor', 'nightly', '--name'];
    app = (await cli.done<OperatorApp>(...create, 'Invoice Sync')).id;
    await cli.done('app', 'update', app, '--short-description', 'One, "two".');
    await cli.done('app', 'submit', app);
  });
  after(() => cli.close());

  const list = (...options: string[]) => cli.done<EventPage>('event', 'list', ...options);

  test('shows the state before and after an event on one line each', async () => {
    const { stdout } = await cli.run('event', 'list', '--app', app);
    assert.match(stdout, /^\S+Z\tapp\.created\tcommand-line:nightly\t/);
    assert.match(stdout, /before\.listingInfo\.shortDescription null, after\..* "One, \\"two\\"\."/);
    assert.match(stdout, /before\.reviewStatus "DRAFT", after\.reviewStatus "AWAITING_REVIEW", after\.revision 2$/m);
  });

  test('shows below a search how far it got, and how to continue', async () => {
    const search = ['--field', 'listingInfo.shortDescription', '--contains', '"TWO"'];
    const first = await cli.run('event', 'list', ...search, '--limit', '1');
    const [, cursor = ''] = /^To continue, add --cursor (\S+),/m.exec(first.stderr) ?? [];
    assert.match(first.stdout, /^searched:\n {2}events +\d+\n {2}until:\n {4}id +event_/m);
    assert.deepEqual((await list(...search, '--cursor', cursor)).items, []);
  });

  test('continues a search by itself until everything is searched', async () => {
    const [event = assert.fail()] = await withRegistry(cli.databaseUrl, ({ storage }) => rowsOf(storage, 'events'));
    const others = Array.from({ length: searchLimits.events }, () => ({ ...event, id: newId('event'), after: '{}' }));
    await insertEvents(cli, others);
    await cli.done('app', 'withdraw', app);
    for (const name of ['Invoice Sync 2', 'Invoice Sync 3']) await cli.done('app', 'update', app, '--name', name);
    const search = ['--field', 'name', '--contains', 'INVOICE', '--workspaces'];
    const { items, apps, searched, nextCursor } = await list(...search);
    assert.deepEqual([items.length, apps?.length, nextCursor], [3, 1, undefined]);
    assert.ok((searched?.events ?? 0) > searchLimits.events);
    assert.deepEqual(searched?.until, { id: items[2]?.id, timestamp: items[2]?.timestamp });
    assert.deepEqual((await list(...search, '--limit', '2')).items, items.slice(0, 2));
  });
});

describe('event archive', () => {
  const old = eventsAt(Date.now() - 10 * 86_400_000, { count: 3, characters: 1 });
  let cli: CommandLine;
  let folder: string;
  before(async () => {
    cli = await CommandLine.open(sqlite);
    folder = await mkdtemp(join(tmpdir(), 'archive-'));
    await insertEvents(cli, old);
    await cli.done('developer', 'create', '--email', 'ada@example.com');
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  const archive = ['event', 'archive', '--before', '2999-01-01T00:00:00Z'];
  const eventCount = async () => (await cli.done<EventPage>('event', 'list')).items.length;

  test('moves old events to a file, which the check reads and event restore takes back', async () => {
    const file = join(folder, 'one.jsonl.gz');
    assert.deepEqual(await cli.done(...archive, file), {
      archive: 1,
      events: old.length,
      lastEventId: old.at(-1)?.id,
      stoppedAt: { reason: 'too_young', detail: 'Events of the last 24 hours are not archived.' },
    });
    assert.equal(await eventCount(), 1);
    assert.equal((await cli.done<{ archivedEvents: number }>('check', '--archive', file)).archivedEvents, old.length);
    assert.deepEqual(await cli.done('event', 'restore', file), { restored: old.length });
    assert.equal(await eventCount(), old.length + 1);
  });

  test('overwrites what killed runs have left beside the file, and removes it', async () => {
    const file = join(folder, 'killed.jsonl.gz');
    for (const left of ['half a file', 'killed after the file was named']) {
      writeFileSync(`${file}.part`, left);
      await cli.done(...archive, file);
      assert.equal(existsSync(`${file}.part`), false);
    }
    assert.deepEqual(await cli.done('event', 'restore', file), { restored: old.length });
  });

  test('refuses a file that is no archive, or that cannot be written or read, and deletes nothing', async () => {
    const letter = join(folder, 'letter.txt');
    writeFileSync(letter, 'Dear Ada');
    const missing = join(folder, 'missing', 'events.jsonl.gz');
    const codeOf = async (...args: string[]) => (await cli.refused(...args)).code;
    assert.equal(await codeOf(...archive, letter), 'archive_refused');
    assert.equal(await codeOf('event', 'restore', letter), 'archive_refused');
    assert.equal(await codeOf(...archive, missing), 'file_unwritable');
    assert.equal(await codeOf('event', 'restore', missing), 'file_unreadable');
    assert.equal(await eventCount(), old.length + 1);
  });
});
