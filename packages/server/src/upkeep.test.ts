import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from './registry/delete-app.ts';
import { commandLine } from './registry/registry.ts';
import type { Connection } from './storage/query.ts';
import { execute } from './storage/testing/storage-test.ts';
import { CapturedLog } from './testing/captured-log.ts';
import { forEachEngine } from './testing/engines.ts';
import { rowsOf } from './testing/recorded.ts';
import { RegistryFixture } from './testing/registry-fixture.ts';
import { startUpkeep } from './upkeep.ts';

const hourMs = 3_600_000;
const warn = 40;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let tokenId: string;
  let now = 100 * hourMs;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    tokenId = (await fixture.newToken('developer', { lifeMs: 90_000_000 })).id;
  });
  after(() => fixture.close());

  test('expired idempotency keys are deleted at the start and an hour later', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const log = new CapturedLog();
    await insertKeys(now, now - 23.5 * hourMs, now - 24 * hourMs);
    await startUpkeep(fixture.registry, log.logger)();
    assert.equal(await countKeys(), 2);

    const end = startUpkeep(fixture.registry, log.logger);
    now += hourMs;
    mock.timers.tick(hourMs);
    await end();
    assert.deepEqual([await countKeys(), log.text], [1, '']);
  });

  test('an app that was deleted 30 days ago is purged', async () => {
    const { registry } = fixture;
    const { id } = await fixture.newApp();
    await deleteApp(registry, commandLine, { appId: id });
    const kept = async () => (await rowsOf(registry.storage, 'deleted_apps')).map((row) => row.id);
    const log = new CapturedLog();
    now += 30 * 24 * hourMs - 1;
    await startUpkeep(registry, log.logger)();
    assert.deepEqual(await kept(), [id]);
    now += 1;
    await startUpkeep(registry, log.logger)();
    assert.deepEqual([await kept(), log.text], [[], '']);
  });

  test('a failure is a warning, and the next hour is tried again', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const log = new CapturedLog();
    await alter('alter table idempotency_keys rename to elsewhere');
    const end = startUpkeep(fixture.registry, log.logger);
    mock.timers.tick(hourMs);
    await end();
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      [warn, warn],
    );
    await alter('alter table elsewhere rename to idempotency_keys');
  });

  async function insertKeys(...times: number[]): Promise<void> {
    for (const time of times) {
      const values = `('${tokenId}', '${time}', 'hash', '{}', ${time})`;
      await alter(`insert into idempotency_keys (token_id, key, request_hash, answer, created_at) values ${values}`);
    }
  }

  async function countKeys(): Promise<number> {
    return (await execute(fixture.registry.storage.reader, 'select key from idempotency_keys')).length;
  }

  function alter(sql: string): Promise<unknown> {
    return fixture.registry.storage.write((transaction: Connection) => execute(transaction, sql));
  }
});
