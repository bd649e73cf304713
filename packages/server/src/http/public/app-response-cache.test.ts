import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { AppResponseCache, type CachedApp, ownBytes } from './get-app-route.ts';

const bytesMax = 100_000;

describe('cached responses', () => {
  test('are found only by their exact revision', () => {
    const apps = new AppResponseCache(bytesMax);
    apps.set(cachedApp({ id: 'app_1', revision: '2' }));
    assert.equal(apps.find('app_1', '2')?.revision, '2');
    assert.deepEqual(
      [apps.find('app_1', '1'), apps.find('app_1', '3'), apps.find('app_2', '2')],
      [undefined, undefined, undefined],
    );
  });

  test('are replaced by any other revision, because numbers can repeat', () => {
    const apps = new AppResponseCache(bytesMax);
    for (const revision of ['3.lost', '2.stored', '3.stored']) apps.set(cachedApp({ revision }));
    assert.equal(apps.find('app_1', '3.stored')?.revision, '3.stored');
    assert.equal(apps.find('app_1', '3.lost'), undefined);
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
    const found = Array.from({ length: 1_000 }, (_, at) => apps.find(`app_${at}`, '1')).filter(
      (app) => app !== undefined,
    );
    assert.ok(found.length > 50 && found.length < 100, `${found.length} of 1,000 bytes`);
    assert.equal(found.at(-1)?.id, 'app_999');
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

  test('are not stored if a single one exceeds the limit', () => {
    const apps = new AppResponseCache(bytesMax);
    apps.set(cachedApp({ bytes: bytesMax }));
    assert.equal(apps.find('app_1', '1'), undefined);
  });
});

/** Its bytes do not compress. */
function cachedApp({
  id = 'app_1',
  revision = '1',
  bytes = 10,
}: {
  id?: string;
  revision?: string;
  bytes?: number;
}): CachedApp {
  return { id, revision, tag: 'tag', bodies: { identity: ownBytes(noise(bytes)) } };
}

function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(32 + (seed % 95));
  }).join('');
}
