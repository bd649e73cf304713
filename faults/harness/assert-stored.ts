import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { contentValue } from '../../packages/server/src/features/apps/app-content.ts';
import { findApp } from '../../packages/server/src/features/apps/app-queries.ts';
import { listEventsOfApp } from '../../packages/server/src/features/events/event-queries.ts';
import { checkRegistry, InconsistentRegistry } from '../../packages/server/src/features/integrity/check-registry.ts';
import type { Registry } from '../../packages/server/src/kernel/registry.ts';
import type { EventRow } from '../../packages/server/src/storage/tables.ts';
import { guarantee } from './fault-injection.ts';
import type { InstallationEntry, Ledger, Outcome, UpdateEntry } from './ledger.ts';
import { markedFields } from './load.ts';

/**
 * Compares the stored apps with the ledger. Throws `BrokenGuarantee` unless every acknowledged change is stored, no
 * refused one is, and each stored change is complete: every field of an app, its event, its revision, and each
 * installation with its event and its count.
 */
export function assertStored(databaseUrl: string, ledger: Ledger, apps: readonly string[]): Promise<void> {
  return withRegistry(databaseUrl, async (registry) => {
    guarantee(ledger.unexpected.length === 0, () => `unexpected response: ${ledger.unexpected[0]}`);
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
  guarantee(app, `${appId} was deleted`);
  const updated = events.filter(({ type }) => type === 'app.updated');
  const marks = new Map(updated.map((event) => [markOf(appId, textsIn(event.after)), event]));
  for (const { mark, outcome, requestId } of entries) {
    const event = marks.get(mark);
    assertOutcome(outcome, event !== undefined, `the update ${mark} of ${appId}`);
    guarantee(
      !event || !requestId || event.request_id === requestId,
      `${mark} has the request id ${event?.request_id}, and its response had ${requestId}`,
    );
  }
  guarantee(marks.size === updated.length, `two events of ${appId} describe the same update`);
  const known = new Set(entries.map(({ mark }) => mark));
  const unrequested = [...marks.keys()].find((mark) => !known.has(mark));
  guarantee(unrequested === undefined, `no client requested ${unrequested} of ${appId}`);
  guarantee(app.revision === 1 + updated.length, `${appId} has revision ${app.revision} and ${updated.length} updates`);
  const created = events.find(({ type }) => type === 'app.created');
  assertChain(
    appId,
    [created, ...updated],
    markOf(
      appId,
      markedFields.map(({ column }) => app[column]),
    ),
  );
}

/** Each update starts from the result of another, and the app has the result of the last. */
function assertChain(appId: string, events: (EventRow | undefined)[], current: string): void {
  const after = events.map((event) => markOf(appId, textsIn(event?.after)));
  const before = events.slice(1).map((event) => markOf(appId, textsIn(event?.before)));
  const expected = [...before, current].toSorted();
  guarantee(
    JSON.stringify(after.toSorted()) === JSON.stringify(expected),
    `the updates of ${appId} do not lead from its first content to its current one, ${current}`,
  );
}

type Text = string | null | undefined;

/** The marked fields in the data of an event. */
function textsIn(data: string | null | undefined): Text[] {
  const content = JSON.parse(data ?? '{}');
  return markedFields.map((field) => contentValue(content, field));
}

/** The mark that all fields contain. */
function markOf(appId: string, texts: Text[]): string {
  const marks = new Set(texts.map((text) => /mark\d{8}/.exec(text ?? '')?.[0] ?? 'none'));
  const [mark = 'none'] = marks;
  guarantee(
    marks.size === 1 && mark !== 'none',
    () => `an update of ${appId} is stored in part: ${JSON.stringify(texts)}`,
  );
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
    const isStored = stored.has(workspaceId);
    const what = `the installation of ${appId} in ${workspaceId}`;
    if (deleted === undefined) assertOutcome(created, isStored, what);
    else assertOutcome(deleted, !isStored, `the deletion of ${what}`);
    guarantee(
      !isStored || id === undefined || stored.get(workspaceId) === id,
      `${what} is stored as ${stored.get(workspaceId)}, and its response had ${id}`,
    );
  }
  const known = new Set(entries.map(({ workspaceId }) => workspaceId));
  const unrequested = rows.find((row) => !known.has(row.workspace_id));
  guarantee(!unrequested, `no client requested ${unrequested?.id} of ${appId}`);
  const app = await findApp(reader, { id: appId });
  guarantee(
    app?.installation_count === rows.length,
    `${appId} has the count ${app?.installation_count} and ${rows.length} installations`,
  );
  const subjectsOf = (type: string) =>
    new Set(events.filter((event) => event.type === type).map((event) => event.subject_id));
  const expected = subjectsOf('installation.created').difference(subjectsOf('installation.deleted'));
  const ids = new Set(rows.map(({ id }) => id));
  guarantee(expected.symmetricDifference(ids).size === 0, `the events of ${appId} describe other installations`);
}

function assertOutcome(outcome: Outcome, isStored: boolean, what: string): void {
  guarantee(outcome !== 'acknowledged' || isStored, `${what} was acknowledged but is not stored`);
  guarantee(outcome !== 'refused' || !isStored, `${what} was refused with 503 but is stored`);
}

async function assertConsistent(registry: Registry): Promise<void> {
  await checkRegistry(registry).catch((error: unknown) => {
    if (!(error instanceof InconsistentRegistry)) throw error;
    guarantee(false, () => `check fails: ${error.message} ${JSON.stringify(error.findings[0])}`);
  });
}
