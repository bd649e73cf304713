import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Engine, forEachEngine, on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import type { LogLine } from '@appregistrar/testkit/registry/captured-log';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { openStorage } from '../../storage/open-storage.ts';

const error = 50;

forEachEngine((engine) => {
  test('an internal error is a bare 500, with nothing but the id under which it is logged', async () => {
    await withFixture(engine, async (http, appId) => {
      await damage(http, 'alter table apps rename column name to title');
      const responses = [
        await http.updateApp(appId, {}),
        await http.updateApp(appId, { name: 'Another' }),
        await http.getApp(appId),
      ];
      for (const response of responses) assertBare(http, response);
    });
  });

  test('an internal error in the check of a token is a bare 500 too, and paths without a token are served', async () => {
    await withFixture(engine, async (http, appId) => {
      await damage(http, 'alter table access_tokens rename to elsewhere');
      assertBare(http, await http.updateApp(appId, {}));
      assertBare(http, await http.getApp(appId));
      assert.equal((await http.send({ method: 'GET', path: '/openapi.json' })).status, 200);
      assert.equal((await http.send({ method: 'GET', path: '/nothing' })).status, 404);
    });
  });
});

describe('an unavailable database gives 503 with Retry-After, writes nothing, and works again once available', () => {
  test('SQLite on a full disk', async () => {
    await withFixture(sqlite, async (http, appId) => {
      const update = { listingInfo: { longDescription: '🦊'.repeat(4000) } };
      const before = await http.stateOf(appId);
      await damage(http, 'pragma max_page_count = 1');
      assertUnavailable(await http.updateApp(appId, update));
      assert.deepEqual(await http.stateOf(appId), before);
      await damage(http, 'pragma max_page_count = 100000');
      assert.equal((await http.updateApp(appId, update)).status, 200);
    });
  });

  test('PostgreSQL that ends its connections', on(postgres), async () => {
    await withFixture(postgres, async (http, appId) => {
      const before = await http.stateOf(appId);
      const other = await openStorage(http.data.databaseUrl);
      const response = await other.write(async (transaction) => {
        await execute(transaction, `select 1 from apps where id = '${appId}' for update`);
        const waiting = http.updateApp(appId, { name: 'Never stored' });
        const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        while ((await execute(other.reader, waits)).length === 0);
        const others = `application_name = 'app-registry' and pid <> pg_backend_pid() and wait_event_type = 'Lock'`;
        await execute(
          transaction,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${others}`,
        );
        return waiting;
      });
      await other.close();
      assertUnavailable(response);
      assert.deepEqual(await http.stateOf(appId), before);
      assert.equal((await http.updateApp(appId, { name: 'Stored' })).status, 200);
    });
  });
});

async function withFixture(engine: Engine, run: (http: HttpFixture, appId: string) => Promise<void>): Promise<void> {
  const http = await HttpFixture.open(engine);
  try {
    await run(http, (await http.data.newApp()).id);
  } finally {
    await http.close();
  }
}

async function damage(http: HttpFixture, sql: string): Promise<void> {
  await http.data.registry.storage.write((transaction) => execute(transaction, sql));
}

function assertBare(http: HttpFixture, response: HttpResponse): void {
  assert.equal(response.refusal, '500 internal_error');
  assert.doesNotMatch(response.text, /sql|select|column|relation|table|apps_|pool|node:|file:|\.ts/i);
  const logged = http.log.lines.filter(
    (line: LogLine) => line.level === error && line.requestId === response.problem.requestId,
  );
  assert.equal(logged.length, 1);
  assert.match(JSON.stringify(logged[0]?.err), /column|table|relation/);
}

function assertUnavailable(response: HttpResponse): void {
  assert.equal(response.refusal, '503 unavailable');
  assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/);
}
