import { appNotFound, requireAppId } from '../../../kernel/failure.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { Snapshot } from '../../../storage/snapshot.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { findApp } from '../app-queries.ts';

/** Reads an app and its events at one moment. Refuses with `app_not_found`. */
export async function readHistory<Result>(
  { storage }: Registry,
  appId: string,
  read: (snapshot: Snapshot, app: AppRow) => Promise<Result>,
): Promise<Result> {
  requireAppId(appId);
  const results = storage.snapshot(async function* (snapshot) {
    const app = await findApp(snapshot, { id: appId });
    if (!app) throw appNotFound();
    yield await read(snapshot, app);
  });
  for await (const result of results) return result;
  throw new Error('a snapshot has ended without a result');
}
