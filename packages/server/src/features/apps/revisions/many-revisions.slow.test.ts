import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { getAppRevision, listAppRevisions } from '../../../../test/calls/revisions.ts';
import { firstIdAt } from '../../../kernel/ids.ts';
import type { EventRow } from '../../../storage/tables.ts';

const revisions = 30_000;
const characters = 2_000;
/** A twelfth of what all the events take. */
const growthBytesMax = 10 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe(`an app with ${revisions} revisions`, () => {
  forEachEngine((engine) => {
    test('shows its first one and the one in the middle in constant memory', async (t) => {
      const fixture = await RegistryFixture.open(engine);
      try {
        const { id } = await fixture.newApp({ listingInfo: { longDescription: longDescription(1) } });
        await store(fixture, id);
        assert.equal((await listAppRevisions(fixture.registry, id, {})).items.length, 20);
        const idle = heldBytes();
        let peak = idle;
        const sampling = setInterval(() => {
          peak = Math.max(peak, heldBytes());
        }, 5);
        const startedAt = performance.now();
        for (const number of [1, revisions / 2]) {
          const { listingInfo } = await getAppRevision(fixture.registry, { appId: id, revision: `${number}` });
          assert.equal(listingInfo.longDescription, longDescription(number));
          t.diagnostic(`revision ${number} after ${Math.round(performance.now() - startedAt)} ms`);
        }
        clearInterval(sampling);
        t.diagnostic(`${Math.round((peak - idle) / 1024)} KiB above ${Math.round(idle / 1024)} KiB`);
        assert.ok(peak - idle < growthBytesMax, `${peak - idle} bytes above ${idle}`);
      } finally {
        await fixture.close();
      }
    });
  });
});

/** What is in use, not what waits to be collected. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** As so many updates would leave it. */
async function store({ registry: { storage, now } }: RegistryFixture, appId: string): Promise<void> {
  const at = now();
  const batch = 1_000;
  for (let first = 2; first <= revisions; first += batch) {
    const count = Math.min(batch, revisions - first + 1);
    const events = Array.from({ length: count }, (_, index) => eventOf(appId, first + index, at));
    await storage.write((transaction) => transaction.insertNew('events', events));
  }
  await storage.write((transaction) =>
    execute(
      transaction,
      `update apps set revision = ${revisions}, long_description = '${longDescription(revisions)}' where id = '${appId}'`,
    ),
  );
}

function eventOf(appId: string, revision: number, at: number): EventRow {
  const data = (number: number) => ({ listingInfo: { longDescription: longDescription(number) } });
  return {
    id: `${firstIdAt('event', at + 60_000).slice(0, -8)}${String(revision).padStart(8, '0')}`,
    type: 'app.updated',
    occurred_at: at + revision,
    app_id: appId,
    subject_id: appId,
    actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5e',
    request_id: null,
    traceparent: null,
    before: JSON.stringify(data(revision - 1)),
    after: JSON.stringify({ ...data(revision), revision, revisionNonce: 'Vb2xq0m9K3Ty' }),
    details: null,
    effective: null,
    reason: null,
  };
}

function longDescription(revision: number): string {
  return `${revision} `.padEnd(characters, '.');
}
