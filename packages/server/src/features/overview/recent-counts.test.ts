import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { recentCounts } from './daily-counts.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = 1_000_000;
  let uptimeMs = 1_000_000;
  /** How much time passes between two readings of the uptime. */
  let paceMs = 0;
  before(async () => {
    const machine = {
      bootId: 'boot',
      uptimeMs: () => {
        uptimeMs += paceMs;
        return uptimeMs;
      },
    };
    fixture = await RegistryFixture.open(engine, { now: () => now, machine });
  });
  after(() => fixture.close());

  const counts = () => recentCounts(fixture.registry);
  const drafts = async () => (await counts()).apps.draft;

  test('a registry that is counted within 100 ms has current counts', async () => {
    paceMs = 99;
    const known = await drafts();
    await fixture.newApp();
    assert.equal(await drafts(), known + 1);
    paceMs = 0;
  });

  test('concurrent callers share one count', async () => {
    const [one, other] = await Promise.all([counts(), counts()]);
    assert.equal(one, other);
    assert.notEqual(await counts(), one);
  });

  test('counts are reused for a hundred times as long as counting took', async () => {
    paceMs = 100;
    const first = await counts();
    paceMs = 0;
    uptimeMs += 900;
    assert.equal(await counts(), first);
    uptimeMs += 10_000;
    assert.notEqual(await counts(), first);
  });

  test('counts are reused for the same time when the clock is set', async () => {
    paceMs = 100;
    const first = await counts();
    paceMs = 0;
    for (const days of [80, -160]) {
      now += days * 86_400_000;
      assert.equal(await counts(), first);
    }
    uptimeMs += 10_000;
    assert.notEqual(await counts(), first);
  });

  test('counts that took long are reused for at most a minute', async () => {
    paceMs = 5_000;
    const first = await counts();
    paceMs = 0;
    uptimeMs += 55_000;
    assert.notEqual(await counts(), first);
  });

  test('a failure is reported, and the next call counts again', async () => {
    const { storage } = fixture.registry;
    const rename = (from: string, to: string) =>
      storage.write((transaction) => execute(transaction, `alter table ${from} rename to ${to}`));
    await rename('apps', 'elsewhere');
    await assert.rejects(counts());
    await rename('elsewhere', 'apps');
    await counts();
  });
});
