import Type from 'typebox';
import { check, throwIfInvalid } from '../../kernel/check.ts';
import { AppId, firstIdAt, isTypeId, UserId, WorkspaceId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { orderParameter, pageOf, pageParameters, readPage } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { DateTime, dateTime } from '../../kernel/text.ts';
import type { Position } from '../../storage/row-pages.ts';
import type { EventRow } from '../../storage/tables.ts';
import { archivedEvents } from '../events/archived-events.ts';
import {
  type ChangedAppRow,
  type EventFilter,
  listChangedApps,
  listEventPage,
  listWorkspacesOfInstallations,
} from '../events/event-queries.ts';
import { EventQuery, readSince, type Searched, Since, searchFields } from '../events/event-query.ts';
import { searchedUntil } from '../events/search-events.ts';
import { findAccessToken } from './access-queries.ts';
import { tokenNotFound } from './access-token.ts';

/** The orders, by the first change of each object and by the last one. */
const orders = ['firstAt', '-lastAt'] as const;

/** The query of a page of what a token changed. */
const TokenChangesQuery = Type.Object(
  {
    since: Type.Optional(Since),
    until: EventQuery.properties.until,
    ...orderParameter(orders, 'firstAt'),
    ...pageParameters,
  },
  { additionalProperties: false },
);

/** How often something was changed, how and when. */
const ChangeCount = Type.Object(
  {
    changes: Type.Integer({ minimum: 1 }),
    types: Type.Array(Type.Object({ type: Type.String(), changes: Type.Integer({ minimum: 1 }) }), {
      description: 'The number of events of each type.',
      examples: [[{ type: 'app.updated', changes: 2 }]],
    }),
    firstAt: DateTime,
    lastAt: DateTime,
  },
  { $id: 'ChangeCount', description: 'How often an object was changed, how and when.' },
);

const ofKind = <Kind extends string, Properties extends Type.TProperties>(
  type: Kind,
  properties: Properties,
  description: string,
) => Type.Object({ type: Type.Literal(type), ...properties, ...ChangeCount.properties }, { description });

const ChangedApp = ofKind(
  'app',
  {
    appId: AppId,
    name: Type.Optional(Type.String({ description: 'Its current name; absent when the app is deleted.' })),
    developerId: Type.Optional(
      Type.String({ ...UserId, description: 'Its current developer; absent when the app is deleted.' }),
    ),
    installationCount: Type.Integer({
      minimum: 0,
      description: 'The number of its current installations; 0 for a deleted app.',
    }),
  },
  'An app that was changed, or whose installations were changed.',
);

const ChangedWorkspace = ofKind(
  'workspace',
  { workspaceId: WorkspaceId },
  'A workspace whose installations were changed.',
);

const OtherChanged = ofKind(
  'other',
  {
    subjectId: Type.String({ description: 'The id of a developer, token, webhook, logo or other object.' }),
    appId: Type.Optional(Type.String({ ...AppId, description: 'The app of an installation.' })),
  },
  'Any other changed object: a developer, token, webhook, logo or setting; or an installation that was enabled or disabled and has since been deleted, so that its workspace is unknown.',
);

/** An object that a token changed. */
export const ChangedObject = Type.Union([ChangedApp, ChangedWorkspace, OtherChanged], {
  $id: 'ChangedObject',
  description: 'An object that was changed. Later releases may add types.',
});
export type ChangedObject = Type.Static<typeof ChangedObject>;

/** What a token changed, by the objects. */
export const TokenChanges = Type.Object(
  { ...pageOf(ChangedObject, 'ChangedObject').properties, ...searchFields },
  {
    $id: 'ChangedObjectPage',
    description:
      'A summary of the changes made with a token. The next page summarises other changes: an object that was changed again appears again, with counts to add.',
  },
);
export type TokenChanges = Type.Static<typeof TokenChanges>;

/** How many objects a command shows: a few megabytes of text. */
export const objectsShownMax = 10_000;

/** How many changes a page reads at most for each object that it may name. */
const changesPerObject = 10;

export const listTokenChanges = operation({
  id: 'listTokenChanges',
  method: 'GET',
  path: '/operator/v1/tokens/:id/changes',
  summary: 'Summarise what a token changed, by app and workspace',
  description:
    'Shows which apps and workspaces were changed with a token, even a revoked one. The id is that of a token, or the `oidc:` actor of a person who signs in with the identity provider. Each page summarises a bounded number of changes, and names up to `limit` objects, or all of one change. Pages are read forwards only, without `prevCursor`.',
  scope: 'read',
  query: TokenChangesQuery,
  response: TokenChanges,
  refusals: ['token_not_found'],
  command: {
    name: 'token list-changes',
    description:
      'Summarise the changes made with a token: which apps, workspaces and other objects, how often and when.',
    arguments: { id: 'the token id, or an oidc: actor' },
    options: {
      since: '<time> only changes since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id',
      until: '<time> only changes before a UTC time such as 2026-03-01T09:30:00.000Z',
      cursor: '<cursor> nextCursor from an earlier call',
      limit: `<number> the maximum number of objects (default: ${objectsShownMax})`,
    },
    notes: `The token may be revoked or expired. For a person who signs in with an identity provider, give the actor as events show
it, such as "oidc:auth0|ada". The command stops after --limit objects and prints how to continue. To see each change
with its values, use "app-registry event list --actor ID".`,
    examples: ['app-registry token list-changes token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  },
  async run({ registry, params: { id }, query }) {
    const { since, until, sort } = query;
    const start = readStart(since);
    await requireActor(registry, id);
    const before = until === undefined ? undefined : firstIdAt('event', Date.parse(until));
    let searched: Searched = { events: 0 };
    const page = await readPage(query, {
      name: `changes of ${id}`,
      byDefault: 'firstAt',
      async read({ limit, position }) {
        const { rows, next } = await listEventPage(
          registry.storage.reader,
          { actor: id, after: start.after, before },
          { limit: limit * changesPerObject, position, newestFirst: sort === '-lastAt', dataOf: summarisedDataOf },
        );
        const { read, changes } = await changesIn(registry, rows, { since: start.since, limit });
        const last = rows[read - 1];
        searched = searchedUntil(read, last);
        const cut: Position | undefined = last && { side: 'after', values: [id, last.id] };
        const following = read < rows.length ? cut : next;
        return { rows: await changedObjects(registry, changes), ...(following && { next: following }) };
      },
      view: (changed) => changed,
    });
    return { ...page, searched, ...(await archivedEvents(registry, start)) };
  },
});

function readStart(since: string | undefined): Pick<EventFilter, 'after' | 'since'> {
  if (since === undefined) return {};
  const errors: ValidationError[] = [];
  const start = readSince(since, errors);
  throwIfInvalid(errors);
  return start;
}

/** The registry does not know the tokens of an identity provider, only who used them. */
async function requireActor({ storage }: Registry, id: string): Promise<void> {
  if (id.startsWith('oidc:') && check(EventQuery.properties.actor, id) === null) return;
  const token = isTypeId(id, 'token') ? await findAccessToken(storage.reader, { id }) : null;
  if (!token) throw tokenNotFound(id);
}

/** The types of events whose data the summary needs: the others do not name a workspace. */
const summarisedDataOf = ['installation.created', 'installation.deleted'] as const;

/** The events that changed each object, in the order of the first one, by the type and the id of the object. */
type Changes = Map<string, { type: ChangedObject['type']; id: string; events: EventRow[] }>;

/**
 * The objects that the first of some events changed, up to a limit, and how many events that are. Any number of older events
 * may follow after a clock was ahead: they count as read too.
 */
async function changesIn(
  registry: Registry,
  events: EventRow[],
  { since = Number.MIN_SAFE_INTEGER, limit }: { since: number | undefined; limit: number },
): Promise<{ read: number; changes: Changes }> {
  const workspaces = await workspacesIn(registry, events);
  const changes: Changes = new Map();
  for (const [at, event] of events.entries()) {
    const objects = event.occurred_at < since ? [] : objectsOf(event, workspaces.get(event.subject_id));
    const added = objects.filter(({ type, id }) => !changes.has(`${type} ${id}`)).length;
    if (changes.size > 0 && changes.size + added > limit) return { read: at, changes };
    for (const { type, id } of objects) {
      const key = `${type} ${id}`;
      const known = changes.get(key) ?? { type, id, events: [] };
      known.events.push(event);
      changes.set(key, known);
    }
  }
  return { read: events.length, changes };
}

/** The app, the workspace if it is known, and what is neither. */
function objectsOf(event: EventRow, workspace: string | undefined): { type: ChangedObject['type']; id: string }[] {
  const { app_id: app, subject_id: subject } = event;
  const isListed = isOfInstallation(event) ? workspace !== undefined : app !== null;
  return [
    ...(app === null ? [] : [{ type: 'app' as const, id: app }]),
    ...(workspace === undefined ? [] : [{ type: 'workspace' as const, id: workspace }]),
    ...(isListed ? [] : [{ type: 'other' as const, id: subject }]),
  ];
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

async function changedObjects({ storage }: Registry, changes: Changes): Promise<ChangedObject[]> {
  const objects = [...changes.values()];
  const appIds = objects.flatMap(({ type, id }) => (type === 'app' ? [id] : []));
  const rows = appIds.length === 0 ? [] : await listChangedApps(storage.reader, appIds);
  const existing = new Map(rows.map((row) => [row.id, row]));
  return objects.map(({ type, id, events }) => {
    const count = countChanges(events);
    if (type === 'app') return { type, appId: id, ...describeApp(existing.get(id)), ...count };
    if (type === 'workspace') return { type, workspaceId: id, ...count };
    const appId = events[0]?.app_id ?? null;
    return { type, subjectId: id, ...(appId !== null && { appId }), ...count };
  });
}

function describeApp(
  app: ChangedAppRow | undefined,
): Pick<Type.Static<typeof ChangedApp>, 'name' | 'developerId' | 'installationCount'> {
  if (!app) return { installationCount: 0 };
  return { name: app.name, developerId: app.developer_id, installationCount: app.installation_count };
}

function countChanges(events: EventRow[]): Type.Static<typeof ChangeCount> {
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
