import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { EventRow } from '../../storage/tables.ts';
import type { ChangeCount, ChangedApp, ChangedObject, ChangedWorkspace } from '../access/token-changes.ts';
import { type ChangedAppRow, listChangedApps, listWorkspacesOfInstallations } from './event-queries.ts';

interface ChangesByObject {
  apps: ChangedApp[];
  workspaces: ChangedWorkspace[];
  others: ChangedObject[];
}

/** The types of events whose data the summary needs: the others do not name a workspace. */
export const summarisedDataOf = ['installation.created', 'installation.deleted'] as const;

/** The objects that some events changed, each group in the order of its first event. */
export async function summariseChanges(registry: Registry, events: EventRow[]): Promise<ChangesByObject> {
  const workspaces = await workspacesIn(registry, events);
  const workspaceOf = (event: EventRow) => workspaces.get(event.subject_id);
  return {
    apps: await describeApps(
      registry,
      countBy(events, ({ app_id }) => app_id),
    ),
    workspaces: countBy(events, workspaceOf).map(([workspaceId, count]) => ({ workspaceId, ...count })),
    others: countBy(events, (event) => otherSubject(event, workspaceOf(event))).map(([subjectId, count, event]) => ({
      subjectId,
      ...(event.app_id !== null && { appId: event.app_id }),
      ...count,
    })),
  };
}

/** The workspaces of the changed installations, as far as events or the installations themselves name them. */
async function workspacesIn({ storage }: Registry, events: EventRow[]): Promise<Map<string, string>> {
  const ofInstallations = events.filter(isOfInstallation);
  const known = new Map<string, string>();
  for (const { subject_id, before, after } of ofInstallations) {
    const { workspaceId } = JSON.parse(before ?? after ?? '{}');
    if (typeof workspaceId === 'string') known.set(subject_id, workspaceId);
  }
  const unknown = new Set(ofInstallations.map(({ subject_id }) => subject_id).filter((id) => !known.has(id)));
  if (unknown.size === 0) return known;
  const rows = await listWorkspacesOfInstallations(storage.reader, [...unknown]);
  for (const { id, workspace_id } of rows) known.set(id, workspace_id);
  return known;
}

function isOfInstallation({ type }: EventRow): boolean {
  return type.startsWith('installation.');
}

/** What is neither an app nor an installation in a known workspace. */
function otherSubject(event: EventRow, workspace: string | undefined): string | null {
  const isListed = isOfInstallation(event) ? workspace !== undefined : event.app_id !== null;
  return isListed ? null : event.subject_id;
}

async function describeApps({ storage }: Registry, counts: Counted[]): Promise<ChangedApp[]> {
  if (counts.length === 0) return [];
  const rows = await listChangedApps(
    storage.reader,
    counts.map(([id]) => id),
  );
  const existing = new Map(rows.map((row) => [row.id, row]));
  return counts.map(([appId, count]) => ({ appId, ...describeApp(existing.get(appId)), ...count }));
}

function describeApp(app: ChangedAppRow | undefined): Pick<ChangedApp, 'name' | 'developerId' | 'installationCount'> {
  if (!app) return { installationCount: 0 };
  return { name: app.name, developerId: app.developer_id, installationCount: app.installation_count };
}

type Counted = [key: string, count: ChangeCount, first: EventRow];

/** The events by a key; those without one are left out. */
function countBy(events: EventRow[], keyOf: (event: EventRow) => string | null | undefined): Counted[] {
  const groups = Map.groupBy(events, keyOf);
  return [...groups].flatMap(([key, group]): Counted[] => {
    const [first] = group;
    return key && first ? [[key, countOf(group), first]] : [];
  });
}

function countOf(events: EventRow[]): ChangeCount {
  const types = Map.groupBy(events, ({ type }) => type);
  // Not the first and the last one: a clock may have been wrong.
  const times = events.map(({ occurred_at }) => occurred_at);
  return {
    changes: events.length,
    types: [...types].map(([type, { length }]) => ({ type, changes: length })),
    firstAt: dateTime(Math.min(...times)),
    lastAt: dateTime(Math.max(...times)),
  };
}
