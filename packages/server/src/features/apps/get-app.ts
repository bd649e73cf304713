import { appNotFound } from '../../kernel/failure.ts';
import { requireAppId } from '../../kernel/ids.ts';
import { publicOperation } from '../../kernel/operation.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Snapshot } from '../../storage/query.ts';
import { platformRevisionText } from '../../storage/request-lookups.ts';
import { installationView } from '../installations/installation.ts';
import { streamInstallationTexts } from '../installations/installation-queries.ts';
import { findAppSnapshot, findPlatformApp, streamPlatformApp } from './app-queries.ts';
import { PlatformApp } from './app-schemas.ts';
import { platformView } from './app-view.ts';

/** Get App (interface 4.2). */
export const getAppOperation = publicOperation({
  surface: 'public',
  id: 'getApp',
  method: 'GET',
  path: '/platform/apps/v1/:id',
  summary: 'Get App',
  description:
    'Returns the app, its developer and all its installations from one snapshot, which includes every change acknowledged before the request. A long list is sent in chunks while it is read. If that fails, or the client stops reading for too long, the connection is reset. Discard a truncated response; a response that ends normally is complete.',
  kind: 'platform',
  response: PlatformApp,
  refusals: [
    'malformed_request',
    'token_missing',
    'token_invalid',
    'insufficient_scope',
    'https_required',
    'app_not_found',
    'request_timeout',
    'precondition_failed',
    'expectation_failed',
    'too_many_requests',
    'headers_too_large',
    'internal_error',
    'not_implemented',
    'unavailable',
  ],
  run: getApp,
});

/** The maximum for an app that is read in one query; a longer list is streamed. */
const installationsMax = 1_000;

/** The app with its developer and installations at one moment. */
export interface ReadApp {
  app: PlatformApp;
  /** Changes with every change of the platform view. */
  revision: string;
}

/**
 * A list of installations that is too long for memory is left out, and `isComplete` is false: then `streamApp` reads it.
 */
export async function getApp(registry: Registry, id: string): Promise<ReadApp & { isComplete: boolean }> {
  requireAppId(id);
  const { reader } = registry.storage;
  const snapshot = await findAppSnapshot(reader, { id, installationsMax });
  const row = snapshot?.app ?? (await findPlatformApp(reader, { id }));
  if (!row) throw appNotFound();
  const app = platformView(registry, row, snapshot?.installations.map(installationView) ?? []);
  return { app, revision: platformRevisionText(row), isComplete: snapshot !== null };
}

/** The app without its installations, and its next installations as JSON texts separated by commas. */
export interface AppPart extends ReadApp {
  installations: string;
}

/**
 * The same for a list of any length, in constant memory and from one snapshot. Each part repeats the app: the first
 * without installations, the others with the next of them. The reader may stop early by `return`, as `for await` does.
 */
export function streamApp(registry: Registry, id: string): AsyncGenerator<AppPart, undefined> {
  return registry.storage.snapshot((snapshot) => readParts(registry, snapshot, id));
}

/**
 * The revision of the result of `getApp`, for callers that may have it cached. It is current, and cheapest when read
 * in the same turn of the event loop as the access token: both lookups then share a batch of `RequestLookups`.
 */
export async function readAppRevision(registry: Registry, id: string): Promise<string> {
  requireAppId(id);
  const revision = await registry.storage.requestLookups.findPlatformRevision(id);
  if (revision === null) throw appNotFound();
  return revision;
}

async function* readParts(registry: Registry, snapshot: Snapshot, id: string): AsyncGenerator<AppPart> {
  const row = await firstOf(streamPlatformApp(snapshot, { id }));
  if (!row) throw appNotFound();
  const app = platformView(registry, row, []);
  const revision = platformRevisionText(row);
  yield { app, revision, installations: '' };
  for await (const installations of streamInstallationTexts(snapshot, { appId: id })) {
    yield { app, revision, installations };
  }
}

async function firstOf<Row>(batches: AsyncIterable<Row[]>): Promise<Row | undefined> {
  for await (const [row] of batches) return row;
  return undefined;
}
