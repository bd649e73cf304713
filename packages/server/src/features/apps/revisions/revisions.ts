import Type from 'typebox';
import { check } from '../../../kernel/check.ts';
import { EventId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { orderParameter, pageOf, pageParameters, readPage } from '../../../kernel/page.ts';
import { openString } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { revisionETag } from '../../../kernel/revision.ts';
import { DateTime, dateTime, optional, RevisionTag } from '../../../kernel/text.ts';
import type { Snapshot } from '../../../storage/query.ts';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../../../storage/row-pages.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { actorNames } from '../../access/actor-names.ts';
import { ActorName, actorsParameter } from '../../events/event.ts';
import { contentPaths } from '../../events/event-query.ts';
import { appContentFields } from '../app-content.ts';
import { LogoId, Name } from '../app-fields.ts';
import { ListingInfo, OauthInfo } from '../app-schemas.ts';
import { contentView } from '../app-view.ts';
import {
  archivedHistory,
  currentRevision,
  type AppRevision as FoundRevision,
  findRevision,
  findRevisionAt,
  readHistory,
  type WalkedRevision,
  type WalkStart,
  walkRevisions,
} from './revision-history.ts';

const path = '/operator/v1/apps/:id/revisions';

const unknownTag =
  'Absent if the event that created it is archived, unless it is the current or the approved revision.';
const madeBy = 'Absent if the event that created it is archived or was never in this registry.';

const revisionFields = {
  revision: Type.Integer({ minimum: 1, description: 'The revision number.' }),
  etag: Type.Optional(Type.String({ ...RevisionTag, description: `The \`ETag\` of this revision. ${unknownTag}` })),
  createdAt: Type.Optional(Type.String({ ...DateTime, description: madeBy })),
  actor: Type.Optional(Type.String({ description: `The actor who created it. ${madeBy}` })),
  eventId: Type.Optional(Type.String({ ...EventId, description: `The event that created it. ${madeBy}` })),
  isCurrent: Type.Boolean({ description: 'Whether it is the current revision.' }),
  isApproved: Type.Boolean({ description: 'Whether it is the last approved revision.' }),
};

/** One revision of an app's content. */
const AppRevision = Type.Object(
  {
    ...revisionFields,
    replacedAt: Type.Optional(Type.String({ ...DateTime, description: 'When the next revision was created.' })),
    name: Name,
    logoId: Type.Optional(LogoId),
    listingInfo: ListingInfo,
    oauthInfo: OauthInfo,
  },
  { $id: 'AppRevision', description: "One revision of an app's content, as its developer edited it." },
);
export type AppRevision = Type.Static<typeof AppRevision>;

/** A revision in a list. */
const ListedRevision = Type.Object(
  {
    ...revisionFields,
    changed: Type.Optional(
      Type.Array(openString(contentPaths, {}), {
        description: `The fields that it changed; later releases may add fields. Absent for the first revision. ${madeBy}`,
      }),
    ),
  },
  { $id: 'ListedRevision' },
);
type ListedRevision = Type.Static<typeof ListedRevision>;

/** The archives that may hold the events of earlier revisions. */
const ArchivedRevisions = Type.Object(
  {
    firstArchive: Type.Integer(),
    lastArchive: Type.Integer({ description: 'The archive to restore first.' }),
    lastOccurredAt: DateTime,
  },
  {
    description:
      'The archives that may hold earlier revisions. Present at the end of the list, if such events are archived.',
  },
);

/** A page of an app's revisions and, if requested, who the actors are. */
const AppRevisionPage = Type.Object(
  {
    ...pageOf(ListedRevision, 'ListedRevision').properties,
    actors: Type.Optional(Type.Array(ActorName)),
    archived: Type.Optional(ArchivedRevisions),
  },
  {
    $id: 'AppRevisionPage',
    description: 'One page of a list, which can be read forwards only, with `actors` if `actors` is true.',
  },
);
type AppRevisionPage = Type.Static<typeof AppRevisionPage>;

const RevisionQuery = Type.Object(
  { ...orderParameter(['-revision'], '-revision'), actors: actorsParameter, ...pageParameters },
  { additionalProperties: false },
);

export const listAppRevisions = operation({
  id: 'listAppRevisions',
  method: 'GET',
  path,
  summary: "List the revisions of an app's content, newest first",
  description:
    'Lists who changed which fields and when. Pages are read forwards only, without `prevCursor`. On the last page, `archived` shows whether earlier revisions are in archives.',
  scope: 'read',
  query: RevisionQuery,
  response: AppRevisionPage,
  refusals: ['app_not_found'],
  command: {
    name: 'app list-revisions',
    description: "List the revisions of an app's content, newest first, with time, author and changed fields.",
    arguments: { id: 'the app id' },
    options: { actors: 'also list the names of the actors' },
    columns: ['revision', 'createdAt', 'actor', 'isApproved', 'changed'],
    readable: ({ items, ...page }) => ({ items: items.map(readableRevision), ...page }),
    examples: ['app-registry app list-revisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, params: { id: appId }, query: { actors, ...query } }) {
    const page = await readHistory(registry, appId, async (snapshot, app) => {
      let archived: AppRevisionPage['archived'];
      const listed = await readPage(query, {
        name: `revisions of ${appId}`,
        byDefault: '-revision',
        async read(request) {
          const rows = await readRevisions(snapshot, app, request);
          archived = rows.next ? undefined : await archivedBefore(snapshot, app, rows.rows.at(-1));
          return rows;
        },
        view: (revision) => listedRevisionView(registry, app, revision),
      });
      return { ...listed, ...(archived && { archived }) };
    });
    if (!actors) return page;
    const names = await actorNames(
      registry,
      page.items.flatMap(({ actor }) => actor ?? []),
    );
    return { ...page, actors: names };
  },
});

function readableRevision({ changed, ...revision }: AppRevisionPage['items'][number]): object {
  return { ...revision, ...(changed && { changed: changed.join(', ') || 'nothing' }) };
}

export const getAppRevision = operation({
  id: 'getAppRevision',
  method: 'GET',
  path: `${path}/:revision`,
  summary: "Show one revision of an app's content",
  description: 'The revision is given by its number, its `ETag`, or a UTC time at which it was current.',
  scope: 'read',
  response: AppRevision,
  refusals: ['app_not_found', 'revision_not_found', 'revision_archived'],
  command: { name: 'app get' },
  async run({ registry, params: { id: appId, revision: name } }) {
    return readHistory(registry, appId, async (snapshot, app) => {
      const found =
        check(DateTime, name) === null
          ? await findRevisionAt(snapshot, { app, time: Date.parse(name) })
          : await findRevision(registry, snapshot, { app, name: nameIn(name) });
      return revisionView(registry, app, found);
    });
  },
});

type Revision = WalkedRevision<Partial<AppContent>>;

async function readRevisions(
  snapshot: Snapshot,
  app: AppRow,
  { limit, position }: PageRequest,
): Promise<PageOfRows<Revision>> {
  const start: WalkStart<Partial<AppContent>> = position ? startAt(position) : currentRevision(app);
  const rows: Revision[] = [];
  for await (const revision of walkRevisions(snapshot, app.id, start)) {
    if (rows.length === limit) return { rows, next: positionBefore(rows.at(-1), revision) };
    rows.push(revision);
  }
  return { rows };
}

/** The number of the next revision follows from all newer events, so the position has it. */
function positionBefore(last: Revision | undefined, { revision, nextAt }: Revision): Position {
  return { side: 'after', values: [last?.event?.id ?? '', `${revision}`, `${nextAt}`] };
}

function startAt({ side, values }: Position): WalkStart<Partial<AppContent>> {
  const [beforeEvent = '', revision = '', nextAt = ''] = values;
  const isPosition =
    side === 'after' && values.length === 3 && /^\d{1,15}$/.test(revision) && /^\d{1,15}$/.test(nextAt);
  if (!isPosition) throw new ForeignPosition();
  return {
    beforeEvent,
    revision: Number(revision),
    revisionNonce: null,
    content: {},
    nextAt: Number(nextAt),
  };
}

async function archivedBefore(
  snapshot: Snapshot,
  app: AppRow,
  oldest: Revision | undefined,
): Promise<AppRevisionPage['archived']> {
  if (!oldest || oldest.event !== null) return undefined;
  const history = await archivedHistory(snapshot, app, oldest);
  return history ? { ...history, lastOccurredAt: dateTime(history.lastOccurredAt) } : undefined;
}

/** A number, or a tag with or without its quotes. */
function nameIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1');
}

type Base = Pick<Registry, 'epoch'>;

/** A revision with its content. */
function revisionView(base: Base, app: AppRow, found: FoundRevision): AppRevision {
  const { content, nextAt } = found;
  return {
    ...fieldsOf(base, app, found),
    ...(nextAt !== null && { replacedAt: dateTime(nextAt) }),
    name: content.name,
    ...contentView(content),
    ...optional({ logoId: content.logo_id }),
  };
}

/** A revision in a list. */
function listedRevisionView(
  base: Base,
  app: AppRow,
  { event, ...walked }: WalkedRevision<Partial<AppContent>>,
): ListedRevision {
  const made = { at: event?.at ?? null, actor: event?.actor ?? null, eventId: event?.id ?? null };
  const changed = event && !event.isCreation ? Object.keys(event.before) : null;
  return {
    ...fieldsOf(base, app, { ...walked, ...made }),
    ...(changed && {
      changed: appContentFields.filter(({ column }) => changed.includes(column)).map(({ path }) => path),
    }),
  };
}

function fieldsOf(base: Base, app: AppRow, found: Omit<FoundRevision, 'content' | 'logoId'>) {
  const { revision, revisionNonce, at, actor, eventId, nextAt } = found;
  return {
    revision,
    ...(revisionNonce !== null && { etag: revisionETag(base, { revision, revision_nonce: revisionNonce }) }),
    ...(at !== null && { createdAt: dateTime(at) }),
    ...optional({ actor, eventId }),
    isCurrent: nextAt === null && revision === app.revision,
    isApproved: revision === app.approved_revision,
  };
}
