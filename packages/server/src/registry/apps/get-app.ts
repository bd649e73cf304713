import type { PlatformApp } from '../../contract/app.ts';
import { streamInstallations } from '../../storage/queries/installations.ts';
import { findAppSnapshot, findPlatformApp, streamPlatformApp } from '../../storage/queries/platform-apps.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import { appNotFound, requireAppId } from '../failure.ts';
import { installationText } from '../installations/installation-text.ts';
import type { Registry } from '../registry.ts';
import { installationView, platformView } from './app-view.ts';

/** Of an app that is read at once. */
const installationsMax = 1_000;

/** The app with its developer and installations, all of one moment. */
export interface ReadApp {
  app: PlatformApp;
  /** Changes with anything that the app shows. */
  revision: number;
}

/**
 * Get App (interface 4.2). When the list of installations is too long to be held, it is left out and the app
 * is not `whole`: then `streamApp` reads it.
 */
export async function getApp(registry: Registry, id: string): Promise<ReadApp & { whole: boolean }> {
  requireAppId(id);
  const { reader } = registry.storage;
  const whole = await findAppSnapshot(reader, { id, installationsMax });
  const row = whole?.app ?? (await findPlatformApp(reader, { id }));
  if (!row) throw appNotFound();
  const app = platformView(registry, row, whole?.installations.map(installationView) ?? []);
  return { app, revision: row.platform_revision, whole: whole !== null };
}

/** The app without its installations, and of these the next ones, as JSON texts with commas between them. */
export interface AppPart extends ReadApp {
  installations: string;
}

/**
 * The same for a list of any length, at constant memory and from one snapshot: the app again and again, first with
 * none of its installations and then each time with the next of them. The reader ends it early by `return`, as
 * `for await` does.
 */
export function streamApp(registry: Registry, id: string): AsyncGenerator<AppPart, undefined> {
  return registry.storage.snapshot((snapshot) => readParts(registry, snapshot, id));
}

/**
 * The number that changes with anything `getApp` shows, for a caller who may have it already. It is as new as the
 * question, and costs least when it is asked in the same turn of the event loop as whose token it is.
 */
export async function getAppRevision(registry: Registry, id: string): Promise<number> {
  requireAppId(id);
  const revision = await registry.storage.gate.findPlatformRevision(id);
  if (revision === null) throw appNotFound();
  return revision;
}

async function* readParts(registry: Registry, snapshot: Snapshot, id: string): AsyncGenerator<AppPart> {
  const row = await firstOf(streamPlatformApp(snapshot, { id }));
  if (!row) throw appNotFound();
  const app = platformView(registry, row, []);
  const revision = row.platform_revision;
  yield { app, revision, installations: '' };
  for await (const rows of streamInstallations(snapshot, { appId: id })) {
    yield { app, revision, installations: rows.map(installationText).join(',') };
  }
}

async function firstOf<Row>(batches: AsyncIterable<Row[]>): Promise<Row | undefined> {
  for await (const [row] of batches) return row;
  return undefined;
}
