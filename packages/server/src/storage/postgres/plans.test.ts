import assert from 'node:assert/strict';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, sampleRows } from '../../../test/storage/sample-rows.ts';
import { findNewestEventId } from '../../features/events/event-queries.ts';
import { openStorage } from '../open-storage.ts';
import type { Storage } from '../storage.ts';

const rows = 5_000;
/** PostgreSQL makes a plan for the values of each of the first executions. */
const plansMax = 5;
const executions = 10;

const hot: Record<string, { part: string; read: (storage: Storage) => Promise<unknown> }> = {
  'a batch of lookups': {
    part: 'as lookup',
    read: ({ requestLookups }) => requestLookups.findPlatformRevision(idOf(1)),
  },
  'the newest event': { part: 'from "events"', read: ({ reader }) => findNewestEventId(reader, {}) },
};

storageTest(postgres, 'the plan of a frequent query is made once, also in a large table', async (filled, url) => {
  await fill(filled);
  for (const [what, { part, read }] of Object.entries(hot)) {
    const storage = await openStorage(url, { pools: { write: 1, read: 1, list: 1 } });
    for (let execution = 0; execution < executions; execution += 1) await read(storage);
    const plans = `select generic_plans + custom_plans as executions, custom_plans as plans
      from pg_prepared_statements where statement like '%${part}%'`;
    const [counted] = await execute(storage.reader, plans);
    assert.equal(counted?.executions, executions);
    assert.ok(Number(counted?.plans) <= plansMax, `${counted?.plans} plans for ${what}`);
    await storage.close();
  }
});

async function fill(storage: Storage): Promise<void> {
  const numbers = Array.from({ length: rows }, (_, number) => number);
  const [event] = sampleRows.events;
  assert.ok(event);
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow()]);
    const apps = numbers.map((number) => appRow({ id: idOf(number), name_key: idOf(number), name_claim: null }));
    await transaction.insertNew('apps', apps);
    const events = numbers.map((number) => ({ ...event, id: `event_${number}` }));
    await transaction.insertNew('events', events);
  });
  await execute(storage.reader, 'analyze');
}

function idOf(number: number): string {
  return `app_${number}`;
}
