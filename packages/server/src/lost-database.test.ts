import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { serveHere } from '../test/programs/serve-here.ts';

const [warn, fatal] = [40, 60];

onSqlite((engine) => {
  test('a start that creates a registry logs one line about it, and the next start does not', async () => {
    const { url, drop } = await engine.createDatabase();
    for (const expected of [1, 0]) {
      const { log, stop } = await serveHere(url);
      await stop();
      const lines = log.lines.filter(({ msg }) => msg === 'no registry found: created an empty one');
      assert.equal(lines.length, expected);
      for (const { level, place } of lines) {
        assert.equal(level, warn);
        assert.ok(String(place).includes(new URL(url).pathname.slice(1)), String(place));
      }
    }
    await drop();
  });
});

test('a server whose SQLite file was removed is alive but not ready, refuses reads and updates, and logs once what to do', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const { id } = await fixture.newApp();
  const tokens = [(await fixture.newToken('platform')).token, (await fixture.newToken('developer')).token] as const;
  const { log, publicUrl, operatorUrl, stop } = await serveHere(fixture.databaseUrl);
  const requests = [
    getAppRequest(tokens[0], id),
    getAppRequest(tokens[0], id, { 'if-none-match': '"known"' }),
    updateAppRequest(tokens[1], { id, update: { name: 'Lost' } }),
  ];
  for (const request of requests) assert.equal((await send(publicUrl, request)).status, 200);

  await rm(fixture.databaseUrl.slice('sqlite:'.length));
  for (const request of requests) {
    const { status, headers, text } = await send(publicUrl, request);
    assert.deepEqual([status, headers['retry-after']], [503, '1'], text);
    assert.match(text, /Nothing was changed/);
  }
  const get = (path: string): HttpRequest => ({ method: 'GET', path });
  assert.equal((await send(operatorUrl, get('/readyz'))).status, 503);
  assert.equal((await send(operatorUrl, get('/livez'))).status, 200);
  assert.match((await send(operatorUrl, get('/metrics'))).text, /^registry_ready 0$/m);
  await stop();
  const lines = log.lines.filter(({ level }) => level === fatal);
  assert.equal(lines.length, 1);
  assert.match(String(lines[0]?.reason), /registry\.db was removed while it was in use/);
  assert.match(String(lines[0]?.msg), /do not stop this process before you have copied the file from it/);
  await fixture.close();
});

test('a server whose disk fails to sync a commit responds with 500 and ends with status 1', async (t) => {
  const fixture = await RegistryFixture.open(sqlite);
  const { id } = await fixture.newApp();
  const { token } = await fixture.newToken('developer');
  const { log, publicUrl, stop } = await serveHere(fixture.databaseUrl);
  const ended = Promise.withResolvers<unknown>();
  t.mock.method(process, 'exit', ended.resolve);
  const { exec } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'exec', function fail(this: DatabaseSync, sql: string) {
    // Not a commit of the service's own.
    const isOurs = sql === 'commit' && this.prepare(`select 1 from apps where name = 'Unknown'`).get();
    if (isOurs) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
    exec.call(this, sql);
  });
  const update = updateAppRequest(token, { id, update: { name: 'Unknown' } });
  assert.equal((await send(publicUrl, update)).status, 500);
  assert.equal((await send(publicUrl, update)).status, 503);
  assert.equal(await ended.promise, 1);
  t.mock.restoreAll();
  await stop();
  const lines = log.lines.filter(({ level }) => level === fatal);
  assert.deepEqual(
    lines.map(({ reason }) => reason),
    ['the log could not be synced'],
  );
  await fixture.close();
});
