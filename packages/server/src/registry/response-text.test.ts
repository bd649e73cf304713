import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { OperatorApp } from '../contract/operator-app.ts';
import { execute } from '../storage/testing/storage-test.ts';
import { deleteApp } from './apps/delete-app.ts';
import { type UpdatedApp, updateApp } from './apps/update-app.ts';
import { pruneIdempotencyKeys } from './idempotency.ts';
import { checkRegistry } from './integrity/check-registry.ts';
import { commandLine } from './registry.ts';
import { observeClock } from './trusted-time.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: OperatorApp;
  let actor: string;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
    app = await fixture.newApp();
    actor = (await fixture.newToken('developer')).id;
  });
  after(() => fixture.close());

  test('a retry gets the same bytes even after every text has changed and the app is deleted', async () => {
    const first = await update('all', everyText('a'));
    const second = await update('part', { listingInfo: { shortDescription: 'b'.repeat(400) } });
    await update('later', everyText('c'));
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    const replayed = [
      await update('all', everyText('a')),
      await update('part', { listingInfo: { shortDescription: 'b'.repeat(400) } }),
    ];
    assert.deepEqual(replayed.map(bytesOf), [first, second].map(bytesOf));
    app = await fixture.newApp();
  });

  test('a text of an update is stored under no key, since its event holds it', async () => {
    const text = 'once '.repeat(200).trim();
    await update('once', { listingInfo: { longDescription: text } });
    assert.equal(await textsLike(text), 0);
    assert.ok((await storedUnder('once')).length < 1_000);
  });

  test('a text that several updates leave unchanged is stored once for all of their keys', async () => {
    const text = 'unchanged '.repeat(300).trim();
    await update('set', { listingInfo: { longDescription: text } });
    const responses = [];
    for (const color of ['#111111', '#222222', '#333333']) {
      responses.push(await update(color, { listingInfo: { backgroundColor: color } }));
    }
    assert.equal(await textsLike(text), 1);
    await update('unset', { listingInfo: { longDescription: null } });
    const replayed = await update('#222222', { listingInfo: { backgroundColor: '#222222' } });
    assert.deepEqual(bytesOf(replayed), bytesOf(responses[1] ?? assert.fail()));
  });

  test('a response without long texts is stored as it is', async () => {
    const short = await fixture.newApp();
    const { app, revision, etag } = await update('short', { name: 'Short' }, short);
    const stamp = /\.([^.]+)"$/.exec(etag)?.[1];
    assert.equal(await storedUnder('short'), JSON.stringify({ response: { app, revision, stamp } }));
  });

  test('the check of the registry accepts stored responses', async () => {
    await update('long', everyText('m'));
    await assert.doesNotReject(checkRegistry(fixture.registry));
  });

  test('a text outlives every key that needs it, and no longer', async () => {
    const text = 'kept '.repeat(300).trim();
    const owner = await fixture.newApp({ listingInfo: { longDescription: text } });
    await update('first use', { name: 'First use' }, owner);
    now += 3_599_000;
    const last = await update('last use', { name: 'Last use' }, owner);
    now += dayMs - 1;
    await pruneIdempotencyKeys(fixture.registry);
    assert.deepEqual(bytesOf(await update('last use', { name: 'Last use' }, owner)), bytesOf(last));
    now += dayMs;
    await pruneIdempotencyKeys(fixture.registry);
    assert.equal(await textsLike(text), 0);
  });

  async function update(key: string, change: object, target = app): Promise<UpdatedApp> {
    const caller = { actor, requestId: null, idempotency: { key, onReplay: () => {} } };
    return updateApp(fixture.registry, caller, { appId: target.id, developerId: target.developerId, update: change });
  }

  async function textsLike(text: string): Promise<number> {
    const rows = await execute(fixture.registry.storage.reader, 'select text from response_texts');
    return rows.filter((row) => row.text === text).length;
  }

  async function storedUnder(key: string): Promise<string> {
    const rows = await execute(fixture.registry.storage.reader, 'select key, response as stored from idempotency_keys');
    return String(rows.find((row) => row.key === key)?.stored);
  }
});

function everyText(letter: string): object {
  const url = `https://${letter}.example/${letter.repeat(2_000)}`;
  return {
    name: `Every text ${letter}`,
    listingInfo: { shortDescription: letter.repeat(500), longDescription: `${letter}\n"`.repeat(1_000) },
    oauthInfo: { loginUrl: url, callbackUrl: `${url}2` },
  };
}

/** The body as it is sent, and the revision. */
function bytesOf({ app, revision }: UpdatedApp): unknown[] {
  return [JSON.stringify(app), revision];
}
