import assert from 'node:assert/strict';
import type { PlatformApp } from '../../src/features/apps/app-schemas.ts';
import { ids, type OperatedRegistry, type Served } from './operated-registry.ts';

/** A client's knowledge of a registry. */
export interface Known {
  view: PlatformApp;
  /** The ETags of Get App and Update App. */
  tags: [string, string];
}

export async function readKnown(server: Served): Promise<Known> {
  const { view, etag } = await server.getApp();
  return { view, tags: [etag, (await server.updateApp({})).etag] };
}

/** Changes and revokes the app and erases its developer. Returns the client's knowledge before the revocation. */
export async function changeEverything(registry: OperatedRegistry, server: Served): Promise<Known> {
  assert.equal((await server.updateApp({ name: 'Changed since' })).status, 200);
  const known = await readKnown(server);
  await registry.cli.done('app', 'revoke', ids.APP, '--reason', 'Spam.', '--disable-installations');
  await registry.cli.done('developer', 'erase', ids.DEVELOPER);
  return known;
}

/** Asserts that the registry is restored, and that it confirms no earlier or later ETag. */
export async function assertRestored(server: Served, before: Known, since: Known): Promise<void> {
  assert.deepEqual((await server.getApp()).view, before.view);
  const assertNoneConfirmed = async () => {
    for (const [viewTag, updateTag] of [before.tags, since.tags]) {
      assert.equal((await server.getApp({ 'if-none-match': viewTag })).status, 200);
      assert.equal((await server.updateApp({ name: 'Never' }, { 'if-match': updateTag })).status, 412);
    }
  };
  await assertNoneConfirmed();
  // Now the app has the revision and the content of the later tags.
  assert.equal((await server.updateApp({ name: 'Changed since' })).status, 200);
  await assertNoneConfirmed();
}
