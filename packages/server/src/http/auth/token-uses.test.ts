import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getToken } from '@appregistrar/testkit/calls/access';
import { onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { serveHere } from '../../../test/programs/serve-here.ts';
import { openSession } from '../../features/access/browser-sessions.ts';
import { newId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { TokenUses } from './bearer-auth.ts';

const hourMs = 3_600_000;
const tokensMax = 10_000;

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let writes: number;
  let now: number;
  let registry: Registry;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => Date.parse('2027-03-01T08:00:00.000Z') });
    const counting: Storage = Object.create(fixture.registry.storage, {
      write: {
        value: (work: Parameters<Storage['write']>[0]) => {
          writes += 1;
          return fixture.registry.storage.write(work);
        },
      },
    });
    registry = { ...fixture.registry, storage: counting, now: () => now };
    writes = 0;
    now = Date.parse('2027-03-01T09:59:00.000Z');
  });
  after(() => fixture.close());

  const lastUseOf = async (id: string) => (await getToken(registry, id)).lastUsedAt;

  test('all uses of all tokens take one write an hour', async () => {
    const ids = [(await fixture.newToken('developer')).id, (await fixture.newToken('platform')).id];
    const uses = new TokenUses(registry, new CapturedLog().logger);
    const useAll = async () => {
      for (let times = 0; times < 1_000; times += 1) for (const id of ids) uses.record({ id });
      await uses.start()();
    };
    await useAll();
    await useAll();
    assert.equal(writes, 1);
    for (const id of ids) assert.equal(await lastUseOf(id), '2027-03-01T09:00:00.000Z');
    now += 60_000;
    await useAll();
    assert.equal(writes, 2);
    for (const id of ids) assert.equal(await lastUseOf(id), '2027-03-01T10:00:00.000Z');
  });

  test('the hour is that of the clock, also after it was set back', async () => {
    const [early, late] = [(await fixture.newToken('platform')).id, (await fixture.newToken('platform')).id];
    const uses = new TokenUses(registry, new CapturedLog().logger);
    uses.record({ id: late });
    now -= hourMs;
    uses.record({ id: early });
    await uses.start()();
    now += hourMs;
    assert.deepEqual(
      [await lastUseOf(early), await lastUseOf(late)],
      ['2027-03-01T09:00:00.000Z', '2027-03-01T10:00:00.000Z'],
    );
  });

  test('a holder that an identity provider names has no token whose use is recorded', async () => {
    const before = writes;
    const uses = new TokenUses(registry, new CapturedLog().logger);
    for (const id of ['oidc:ada', 'oidc:token_01jq3w4m2je6vs9a1w7p3n0d5e', 'token_']) uses.record({ id });
    await uses.start()();
    assert.equal(writes, before);
  });

  test('at most as many tokens are in memory as one statement takes, and the others are recorded at a later use', async () => {
    const rows = Array.from({ length: tokensMax + 1 }, (): AccessTokenRow => tokenRow(newId('token')));
    await fixture.registry.storage.write((transaction) => transaction.insertNew('access_tokens', rows));
    const uses = new TokenUses(registry, new CapturedLog().logger);
    const countRecorded = async () => {
      const stored = await rowsOf(fixture.registry.storage, 'access_tokens');
      return stored.filter(({ name, last_used_at: at }) => name === 'one of many' && at !== null).length;
    };
    now += hourMs;
    for (const expected of [tokensMax, tokensMax + 1]) {
      for (const { id } of rows) uses.record({ id });
      await uses.start()();
      assert.equal(await countRecorded(), expected);
    }
    const before = writes;
    for (const { id } of rows) uses.record({ id });
    await uses.start()();
    assert.equal(writes, before + 1, 'tokens dropped from memory are recorded again');
  });
});

test('uses that cannot be stored are logged, and stored later', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const { id, token } = await fixture.newToken('platform');
  const failing: Storage = Object.create(fixture.registry.storage, {
    write: { value: () => Promise.reject(new Error('the disk is full')), configurable: true },
  });
  const log = new CapturedLog();
  const uses = new TokenUses({ ...fixture.registry, storage: failing }, log.logger);
  uses.record({ id });
  await uses.start()();
  assert.deepEqual(
    log.lines.map(({ msg }) => msg),
    ['could not store the last uses of tokens'],
  );
  assert.equal((await getToken(fixture.registry, id)).lastUsedAt, undefined);
  Object.defineProperty(failing, 'write', {
    value: (work: Parameters<Storage['write']>[0]) => fixture.registry.storage.write(work),
  });
  await uses.start()();
  assert.ok((await getToken(fixture.registry, id)).lastUsedAt);
  assert.ok(!log.text.includes(token));
  await fixture.close();
});

onSqlite((engine) => {
  test('a service records the use of tokens of every kind and of sessions, also where it denies access', async () => {
    const data = await RegistryFixture.open(engine);
    const { publicUrl, operatorUrl, stop } = await serveHere(data.databaseUrl);
    const publicApp = `${publicUrl}/platform/apps/v1/${(await data.newApp()).id}`;
    const operatorApps = `${operatorUrl}/operator/v1/apps`;

    const developer = await data.newToken('developer');
    const platform = await data.newToken('platform');
    const operator = await data.newToken('operator');
    const signedIn = await data.newToken('operator', { scopes: ['read'] });
    const unused = await data.newToken('operator');
    const session = await openSession(data.registry, signedIn.id);
    const statuses = [
      await fetch(publicApp, { headers: bearer(developer.token) }),
      await fetch(publicApp, { headers: bearer(platform.token) }),
      await fetch(operatorApps, { headers: bearer(operator.token) }),
      await fetch(operatorApps, { headers: { cookie: `app-registry=${session?.text}` } }),
      await fetch(operatorApps, { headers: bearer(`${unused.token}x`) }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [403, 200, 200, 200, 401]);
    await stop();

    const hour = new Date(Date.now() - hourMs).toISOString();
    for (const { id } of [developer, platform, operator, signedIn]) {
      assert.ok(((await getToken(data.registry, id)).lastUsedAt ?? '') > hour, id);
    }
    assert.equal((await getToken(data.registry, unused.id)).lastUsedAt, undefined);
    await data.close();
  });
});

function tokenRow(id: string): AccessTokenRow {
  return {
    id,
    kind: 'platform',
    developer_id: null,
    name: 'one of many',
    hash: id,
    created_at: 0,
    expires_at: 0,
    revoked_at: null,
    replaced_by: null,
    replaced_at: null,
    scopes: null,
    updates_per_minute: null,
    reads_per_minute: null,
    requests_per_minute: null,
    last_used_at: null,
    suspended: 0,
  };
}
