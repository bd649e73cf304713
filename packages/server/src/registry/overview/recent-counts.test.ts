import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { execute } from '../../storage/testing/storage-test.ts';
import { recentCounts } from './recent-counts.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = 1_000_000;
  /** How long the clock goes on whenever somebody looks at it. */
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

  test('a registry that is counted at once is told as it is', async () => {
    const known = await drafts();
    await fixture.newApp();
    assert.equal(await drafts(), known + 1);
  });

  test('who asks while it is counted gets the same counts', async () => {
    const [one, other] = await Promise.all([counts(), counts()]);
    assert.equal(one, other);
    assert.notEqual(await counts(), one);
  });

  test('counts are good for a hundred times as long as they took', async () => {
    paceMs = 10;
    const first = await counts();
    paceMs = 0;
    now += 900;
    assert.equal(await counts(), first);
    now += 10_000;
    assert.notEqual(await counts(), first);
  });

  test('counts are not from the future, when a clock was put back', async () => {
    paceMs = 5_000;
    const first = await counts();
    paceMs = 0;
    const beganAt = first.countedAt - 5_000;
    now = beganAt + 59_999;
    assert.equal(await counts(), first);
    now = beganAt - 1;
    assert.notEqual(await counts(), first);
  });

  test('counts that took long are no older than a minute', async () => {
    paceMs = 5_000;
    const first = await counts();
    paceMs = 0;
    now = first.countedAt - 5_000 + 60_000;
    assert.notEqual(await counts(), first);
  });

  test('a failure is told, and the next one asks again', async () => {
    const { storage } = fixture.registry;
    const rename = (from: string, to: string) =>
      storage.write((transaction) => execute(transaction, `alter table ${from} rename to ${to}`));
    await rename('apps', 'elsewhere');
    await assert.rejects(counts());
    await rename('elsewhere', 'apps');
    await counts();
  });
});
