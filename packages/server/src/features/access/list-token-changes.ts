import Type from 'typebox';
import { check, throwIfInvalid } from '../../kernel/check.ts';
import { AppId, isTypeId, UserId, WorkspaceId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { pageParameters, readPage } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { DateTime, dateTime } from '../../kernel/text.ts';
import type { EventRow } from '../../storage/tables.ts';
import { archivedEvents } from '../events/archived-events.ts';
import {
  type ChangedAppRow,
  type EventFilter,
  listChangedApps,
  listEventPage,
  listWorkspacesOfInstallations,
} from '../events/event-queries.ts';
import { EventQuery, readSince, Since, searchFields } from '../events/event-query.ts';
import { searchedUntil } from '../events/search-events.ts';
import { findAccessToken } from './access-queries.ts';
import { tokenNotFound } from './access-token.ts';

const { cursor } = pageParameters;

/** The query of a page of what a token changed. */
const TokenChangesQuery = Type.Object({ since: Type.Optional(Since), cursor }, { additionalProperties: false });

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
export type ChangeCount = Type.Static<typeof ChangeCount>;

/** An app that a token changed, by itself or by its installations. */
const ChangedApp = Type.Object(
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
    ...ChangeCount.properties,
  },
  { $id: 'ChangedApp', description: 'An app that was changed, or whose installations were changed.' },
);
type ChangedApp = Type.Static<typeof ChangedApp>;

const ChangedWorkspace = Type.Object(
  { workspaceId: WorkspaceId, ...ChangeCount.properties },
  { $id: 'ChangedWorkspace', description: 'A workspace whose installations were changed.' },
);
type ChangedWorkspace = Type.Static<typeof ChangedWorkspace>;

const ChangedObject = Type.Object(
  {
    subjectId: Type.String({ description: 'The id of a developer, token, webhook, logo or other object.' }),
    appId: Type.Optional(Type.String({ ...AppId, description: 'The app of an installation.' })),
    ...ChangeCount.properties,
  },
  {
    $id: 'ChangedObject',
    description:
      'Any other changed object: a developer, token, webhook, logo or setting; or an installation that was enabled or disabled and has since been deleted, so that its workspace is unknown.',
  },
);
type ChangedObject = Type.Static<typeof ChangedObject>;

/** What a token changed, by the objects. */
export const TokenChanges = Type.Object(
  {
    apps: Type.Array(ChangedApp),
    workspaces: Type.Array(ChangedWorkspace),
    others: Type.Array(ChangedObject),
    ...searchFields,
    nextCursor: cursor,
  },
  {
    $id: 'TokenChanges',
    description:
      'A summary of the changes made with a token, oldest first. The next page summarises later changes: an object that was changed again appears again, with counts to add.',
  },
);
export type TokenChanges = Type.Static<typeof TokenChanges>;

/** How many objects a command shows: a few megabytes of text. */
export const objectsShownMax = 10_000;

/** The number of changes that one page summarises, and thereby the most objects that it names. */
export const changesMax = 1_000;

export const listTokenChanges = operation({
  id: 'listTokenChanges',
  method: 'GET',
  path: '/operator/v1/tokens/:id/changes',
  summary: 'Summarise what a token changed, by app and workspace',
  description:
    'Shows which apps and workspaces were changed with a token, even a revoked one. The id is that of a token, or the `oidc:` actor of a person who signs in with the identity provider. Each page summarises a bounded number of changes.',
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
      cursor: '<cursor> the nextCursor of the previous page',
    },
    notes: `The token may be revoked or expired. For a person who signs in with an identity provider, give the actor as events show
it, such as "oidc:auth0|ada". The command stops after ${objectsShownMax.toLocaleString('en')} objects and prints how to continue. To see each change
with its values, use "app-registry event list --actor ID".`,
    examples: ['app-registry token list-changes token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  },
  async run({ registry, params: { id }, query: { since, cursor } }) {
    const start = readStart(since);
    await requireActor(registry, id);
    const query = { actor: id, since, cursor, limit: changesMax };
    const { items, nextCursor } = await readPage(query, {
      name: 'token list-changes',
      read: (request) =>
        listEventPage(
          registry.storage.reader,
          { actor: id, after: start.after },
          { ...request, dataOf: summarisedDataOf },
        ),
      view: (row) => row,
    });
    // After a clock was ahead, any number of older events may follow: they count as read too.
    const isSince = ({ occurred_at }: EventRow) => start.since === undefined || occurred_at >= start.since;
    return {
      ...(await summariseChanges(registry, items.filter(isSince))),
      searched: searchedUntil(items.length, items.at(-1)),
      ...(await archivedEvents(registry, start)),
      ...(nextCursor !== undefined && { nextCursor }),
    };
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

interface ChangesByObject {
  apps: ChangedApp[];
  workspaces: ChangedWorkspace[];
  others: ChangedObject[];
}

/** The types of events whose data the summary needs: the others do not name a workspace. */
const summarisedDataOf = ['installation.created', 'installation.deleted'] as const;

/** The objects that some events changed, each group in the order of its first event. */
async function summariseChanges(registry: Registry, events: EventRow[]): Promise<ChangesByObject> {
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
    return key && first ? [[key, countChanges(group), first]] : [];
  });
}

function countChanges(events: EventRow[]): ChangeCount {
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
