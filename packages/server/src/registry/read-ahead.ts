import { LRUCache } from 'lru-cache';
import { findApp } from '../storage/queries/apps.ts';
import { findWrittenPages } from '../storage/queries/written-pages.ts';
import type { Storage } from '../storage/storage.ts';
import type { Registry } from './registry.ts';

/** A few megabytes. */
const knownMax = 20_000;

/** The apps whose rows were read by this process lately, by storage. */
const known = new WeakMap<Storage, LRUCache<string, true>>();

/**
 * Call it before a write that changes an app and appends an event. On SQLite, a write runs in the thread that serves
 * requests and would block it while pages are read from disk, whereas reads run in other threads. So the pages that the
 * write needs are read there first, unless this process has used the app recently.
 */
export async function readAhead({ storage }: Registry, appId: string): Promise<void> {
  if (storage.engine !== 'sqlite') return;
  let apps = known.get(storage);
  if (!apps) {
    apps = new LRUCache({ max: knownMax });
    known.set(storage, apps);
  }
  if (apps.get(appId)) return;
  await Promise.all([findApp(storage.reader, { id: appId }), findWrittenPages(storage.reader, { id: appId })]);
  apps.set(appId, true);
}
