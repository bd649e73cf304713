import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { execute } from '../../storage/testing/storage-test.ts';
import { recentCounts } from './recent-counts.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = 1_000_000;
  /** How far the clock advances each time it is read. */
  let paceMs = 0;
  before(async () => {
    fixture = await RegistryFixture.open(engine, {
      now: () => {
        now += paceMs;
        return now;
      },
    });
  });
  after(() => fixture.close());

  const counts = () => recentCounts(fixture.registry);
  const drafts = async () => (await counts()).apps.draft;

  test('a registry that is counted instantly has current counts', async () => {
    const known = await drafts();
    await fixture.newApp();
    assert.equal(await drafts(), known + 1);
  });

  test('concurrent callers share one count', async () => {
    const [one, other] = await Promise.all([counts(), counts()]);
    assert.equal(one, other);
    assert.notEqual(await counts(), one);
  });

  test('counts are reused for a hundred times as long as counting took', async () => {
    paceMs = 10;
    const first = await counts();
    paceMs = 0;
    now += 900;
    assert.equal(await counts(), first);
    now += 10_000;
    assert.notEqual(await counts(), first);
  });

  test('counts from the future are not used after the clock was set back', async () => {
    paceMs = 5_000;
    const first = await counts();
    paceMs = 0;
    const beganAt = first.countedAt - 5_000;
    now = beganAt + 59_999;
    assert.equal(await counts(), first);
    now = beganAt - 1;
    assert.notEqual(await counts(), first);
  });

  test('counts that took long are reused for at most a minute', async () => {
    paceMs = 5_000;
    const first = await counts();
    paceMs = 0;
    now = first.countedAt - 5_000 + 60_000;
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
