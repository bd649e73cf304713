import { checkRegistry, InconsistentRegistry } from '../../packages/server/src/registry/integrity/check-registry.ts';
import type { Registry } from '../../packages/server/src/registry/registry.ts';
import { findApp } from '../../packages/server/src/storage/queries/apps.ts';
import { listEventsOfApp } from '../../packages/server/src/storage/queries/events.ts';
import type { AppContent, EventRow } from '../../packages/server/src/storage/tables.ts';
import { withRegistry } from './credentials.ts';
import type { InstallationEntry, Ledger, Outcome, UpdateEntry } from './ledger.ts';
import { promise } from './torture.ts';

/**
 * Reads from the database what is stored of apps, and throws `BrokenPromise` unless everything that was acknowledged
 * is there, nothing that was refused is, and what is there is there whole: each member of an app, its event, its
 * revision, and each installation with its event and its count.
 */
export function assertStored(databaseUrl: string, ledger: Ledger, apps: readonly string[]): Promise<void> {
  return withRegistry(databaseUrl, async (registry) => {
    promise(ledger.unexpected.length === 0, () => `an answer was none that a client can use: ${ledger.unexpected[0]}`);
    const updates = Map.groupBy(ledger.updates, ({ appId }) => appId);
    const installations = Map.groupBy(ledger.installations, ({ appId }) => appId);
    for (const appId of apps) {
      const events = await listEventsOfApp(registry.storage.reader, { appId });
      await assertUpdates(registry, { appId, events, entries: updates.get(appId) ?? [] });
      await assertInstallations(registry, { appId, events, entries: installations.get(appId) ?? [] });
    }
    await assertConsistent(registry);
  });
}

interface OfApp<Entry> {
  appId: string;
  events: EventRow[];
  entries: Entry[];
}

async function assertUpdates(registry: Registry, { appId, events, entries }: OfApp<UpdateEntry>): Promise<void> {
  const app = await findApp(registry.storage.reader, { id: appId });
  promise(app, `${appId} is gone`);
  const told = events.filter(({ type }) => type === 'app.updated');
  const marks = new Map(told.map((event) => [markOf(appId, contentOf(JSON.parse(event.after ?? '{}'))), event]));
  for (const { mark, outcome, requestId } of entries) {
    const event = marks.get(mark);
    assertOutcome(outcome, event !== undefined, `the update ${mark} of ${appId}`);
    promise(!event || !requestId || event.request_id === requestId, `${mark} was answered as ${requestId}`);
  }
  promise(marks.size === told.length, `two events of ${appId} tell the same update`);
  const known = new Set(entries.map(({ mark }) => mark));
  const stranger = [...marks.keys()].find((mark) => !known.has(mark));
  promise(stranger === undefined, `nobody asked for ${stranger} of ${appId}`);
  promise(app.revision === 1 + told.length, `${appId} has revision ${app.revision} and ${told.length} updates`);
  const created = events.find(({ type }) => type === 'app.created');
  assertChain(appId, [created, ...told], markOf(appId, app));
}

/** Each update has begun where another one has ended, and the app is where the last one has ended. */
function assertChain(appId: string, events: (EventRow | undefined)[], current: string): void {
  const ends = events.map((event) => markOf(appId, contentOf(JSON.parse(event?.after ?? '{}'))));
  const begins = events.slice(1).map((event) => markOf(appId, contentOf(JSON.parse(event?.before ?? '{}'))));
  const expected = [...begins, current].toSorted();
  promise(
    JSON.stringify(ends.toSorted()) === JSON.stringify(expected),
    `the updates of ${appId} do not lead from its first content to its current one, ${current}`,
  );
}

interface ContentEventData {
  name?: string;
  listingInfo?: { shortDescription?: string; longDescription?: string };
  oauthInfo?: { loginUrl?: string; callbackUrl?: string };
}

type MarkedContent = Pick<AppContent, 'name'> & Partial<AppContent>;

function contentOf({ name = '', listingInfo = {}, oauthInfo = {} }: ContentEventData): MarkedContent {
  return {
    name,
    short_description: listingInfo.shortDescription ?? null,
    long_description: listingInfo.longDescription ?? null,
    login_url: oauthInfo.loginUrl ?? null,
    callback_url: oauthInfo.callbackUrl ?? null,
  };
}

/** The one mark that all members tell. */
function markOf(appId: string, content: MarkedContent): string {
  const { name, short_description, long_description, login_url, callback_url } = content;
  const texts = [name, short_description, long_description, login_url, callback_url];
  const marks = new Set(texts.map((text) => /mark\d{8}/.exec(text ?? '')?.[0] ?? 'none'));
  const [mark = 'none'] = marks;
  promise(marks.size === 1 && mark !== 'none', () => `an update of ${appId} is half there: ${JSON.stringify(texts)}`);
  return mark;
}

async function assertInstallations(
  registry: Registry,
  { appId, events, entries }: OfApp<InstallationEntry>,
): Promise<void> {
  const { reader } = registry.storage;
  const query = reader.builder.selectFrom('installations').select(['id', 'workspace_id']).where('app_id', '=', appId);
  const rows = await reader.rows(query.compile());
  const stored = new Map(rows.map((row) => [row.workspace_id, row.id]));
  for (const { workspaceId, id, created, deleted } of entries) {
    const isThere = stored.has(workspaceId);
    const what = `the installation of ${appId} in ${workspaceId}`;
    if (deleted === undefined) assertOutcome(created, isThere, what);
    else assertOutcome(deleted, !isThere, `the deletion of ${what}`);
    promise(!isThere || id === undefined || stored.get(workspaceId) === id, `${what} was answered as ${id}`);
  }
  const known = new Set(entries.map(({ workspaceId }) => workspaceId));
  const stranger = rows.find((row) => !known.has(row.workspace_id));
  promise(!stranger, `nobody asked for ${stranger?.id} of ${appId}`);
  const app = await findApp(reader, { id: appId });
  promise(app?.installation_count === rows.length, `${appId} counts ${app?.installation_count} of ${rows.length}`);
  const told = (type: string) =>
    new Set(events.filter((event) => event.type === type).map((event) => event.subject_id));
  const expected = told('installation.created').difference(told('installation.deleted'));
  const ids = new Set(rows.map(({ id }) => id));
  promise(expected.symmetricDifference(ids).size === 0, `the events of ${appId} tell of other installations`);
}

function assertOutcome(outcome: Outcome, isStored: boolean, what: string): void {
  promise(outcome !== 'acknowledged' || isStored, `${what} was acknowledged and is lost`);
  promise(outcome !== 'refused' || !isStored, `${what} was refused with 503 and is stored`);
}

async function assertConsistent(registry: Registry): Promise<void> {
  await checkRegistry(registry).catch((error: unknown) => {
    if (!(error instanceof InconsistentRegistry)) throw error;
    promise(false, () => `check fails: ${error.message} ${JSON.stringify(error.findings[0])}`);
  });
}
