import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { readAppRevision } from '../../features/apps/get-app.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';
import { StorageUnavailable } from '../../storage/storage-failure.ts';
import { AppResponseCache, AppResponses, type CachedApp, ownBytes } from './get-app-route.ts';

const bytesMax = 100_000;

describe('cached responses', () => {
  test('are found only by their exact revision, and replaced by any other, because numbers can repeat', () => {
    const apps = new AppResponseCache(bytesMax);
    for (const revision of ['3.lost', '2.stored', '3.stored']) apps.set(cachedApp({ revision }));
    assert.equal(apps.find('app_1', '3.stored')?.revision, '3.stored');
    for (const revision of ['3.lost', '2.stored']) assert.equal(apps.find('app_1', revision), undefined);
    assert.equal(apps.find('app_2', '3.stored'), undefined);
  });

  test('are not replaced by the compressed form of an earlier revision, which takes longer', async () => {
    const apps = new AppResponseCache(bytesMax);
    const one = cachedApp({ revision: '1' });
    apps.set(one);
    const encoding = apps.encode(one, 'gzip');
    apps.set(cachedApp({ revision: '2' }));
    assert.deepEqual(gunzipSync(await encoding), one.bodies.identity);
    assert.equal(apps.find('app_1', '2')?.revision, '2');
  });

  test('stay within the byte limit, and the least recently used are evicted first', () => {
    const apps = new AppResponseCache(bytesMax);
    for (let at = 0; at < 1_000; at += 1) {
      apps.set(cachedApp({ id: `app_${at}`, bytes: 1_000 }));
      assert.ok(apps.find('app_0', '1'), `app 0 after ${at}`);
    }
    const found = Array.from({ length: 1_000 }, (_, at) => apps.find(`app_${at}`, '1')).filter(Boolean);
    assert.ok(found.length > 50 && found.length < 100, `${found.length} of 1,000 bytes`);
    assert.equal(found.at(-1)?.id, 'app_999');
    apps.set(cachedApp({ id: 'large', bytes: bytesMax }));
    assert.equal(apps.find('large', '1'), undefined, 'a single one that exceeds the limit');
  });

  test('count towards the limit with every coding, and no longer once they are replaced', async () => {
    const apps = new AppResponseCache(bytesMax);
    const one = cachedApp({ id: 'one', bytes: 40_000 });
    apps.set(one);
    for (let revision = 1; revision < 10; revision += 1)
      apps.set(cachedApp({ id: 'two', revision: String(revision), bytes: 40_000 }));
    assert.ok(apps.find('one', '1') && apps.find('two', '9'));
    const body = await apps.encode(one, 'gzip');
    assert.deepEqual(gunzipSync(body), one.bodies.identity);
    assert.equal(apps.find('one', '1')?.bodies.gzip, body);
    apps.set(cachedApp({ id: 'three', bytes: bytesMax - 42_000 }));
    assert.deepEqual([apps.find('two', '9'), apps.find('one', '1')?.id], [undefined, undefined]);
  });
});

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let id: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());
  beforeEach(async () => {
    id = (await fixture.newApp()).id;
  });

  test('concurrent requests for an app share one read, and one for a later revision does not', async () => {
    const { responses, reads } = watched();
    const revision = await readAppRevision(fixture.registry, id);
    const made = await Promise.all(Array.from({ length: 20 }, () => responses.make(id, revision, {})));
    assert.equal(new Set(made.map((response) => response?.body)).size, 1);
    assert.equal(JSON.parse(String(made[0]?.body)).id, id);
    assert.equal((await responses.make(id, revision, {}))?.body, made[0]?.body);
    assert.equal(reads.length, 1);
    const other = watched();
    await Promise.all([other.responses.make(id, revision, {}), other.responses.make(id, revision + 1, {})]);
    assert.equal(other.reads.length, 2);
  });

  test('a failed read fails every request that shares it, and the next request is served', async () => {
    const { responses, reads, fail } = watched();
    const revision = await readAppRevision(fixture.registry, id);
    fail();
    const outcomes = await Promise.allSettled([responses.make(id, revision, {}), responses.make(id, revision, {})]);
    for (const { status } of outcomes) assert.equal(status, 'rejected');
    assert.equal((await responses.make(id, revision, {}))?.status, 200);
    assert.equal(reads.length, 2);
  });

  /** Responses of the same registry, and the statements that they execute. */
  function watched() {
    const { storage } = fixture.registry;
    const reads: string[] = [];
    let isFailing = false;
    const reader: Storage['reader'] = Object.create(storage.reader, {
      rows: {
        value: async (statement: Parameters<Storage['reader']['rows']>[0]) => {
          reads.push(statement.sql);
          const fails = isFailing;
          isFailing = false;
          if (fails) throw new StorageUnavailable('lost');
          return storage.reader.rows(statement);
        },
      },
    });
    const registry: Registry = { ...fixture.registry, storage: Object.create(storage, { reader: { value: reader } }) };
    return { responses: new AppResponses(registry), reads, fail: () => (isFailing = true) };
  }
});

/** Its bytes do not compress. */
function cachedApp({ id = 'app_1', revision = '1', bytes = 10 }: { id?: string; revision?: string; bytes?: number }) {
  const cached: CachedApp = { id, revision, tag: 'tag', bodies: { identity: ownBytes(noise(bytes)) } };
  return cached;
}

function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(32 + (seed % 95));
  }).join('');
}
