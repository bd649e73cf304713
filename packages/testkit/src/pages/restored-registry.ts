import assert from 'node:assert/strict';
import type { PlatformApp } from '../../../server/src/contract/app.ts';
import { ids, type OperatedRegistry, type Served } from './operated-registry.ts';

/** What clients know of a served registry. */
export interface Known {
  view: PlatformApp;
  /** Of Get App and of Update App. */
  tags: [string, string];
}

export async function whatIsKnown(server: Served): Promise<Known> {
  const { view, etag } = await server.getApp();
  return { view, tags: [etag, (await server.updateApp({})).etag] };
}

/** Changes the app, stops it and erases its developer: answers what was known before the stop. */
export async function changeEverything(registry: OperatedRegistry, server: Served): Promise<Known> {
  assert.equal((await server.updateApp({ name: 'Changed since' })).status, 200);
  const known = await whatIsKnown(server);
  await registry.cli.done('app', 'revoke', ids.APP, '--reason', 'Spam.', '--disable-installations');
  await registry.cli.done('developer', 'erase', ids.DEVELOPER);
  return known;
}

/** Asserts that the served registry is the one of before, and confirms no ETag of before or since. */
export async function assertRestored(server: Served, before: Known, since: Known): Promise<void> {
  assert.deepEqual((await server.getApp()).view, before.view);
  const assertNoneConfirmed = async () => {
    for (const [viewTag, updateTag] of [before.tags, since.tags]) {
      assert.equal((await server.getApp({ 'if-none-match': viewTag })).status, 200);
      assert.equal((await server.updateApp({ name: 'Never' }, { 'if-match': updateTag })).status, 412);
    }
  };
  await assertNoneConfirmed();
  // Now at the revision, and with the content, that the tags of since were given for.
  assert.equal((await server.updateApp({ name: 'Changed since' })).status, 200);
  await assertNoneConfirmed();
}
