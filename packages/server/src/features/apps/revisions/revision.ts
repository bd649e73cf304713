import Type from 'typebox';
import { EventId } from '../../../kernel/ids.ts';
import { pageOf, pageParameters } from '../../../kernel/page-parameters.ts';
import { openString } from '../../../kernel/problem-details.ts';
import { DateTime, RevisionTag } from '../../../kernel/text.ts';
import { ActorName, actorsParameter } from '../../events/event.ts';
import { contentPaths } from '../../events/event-query.ts';
import { ListingInfo, OauthInfo } from '../app.ts';
import { LogoId, Name } from '../app-fields.ts';

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
export const AppRevision = Type.Object(
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
export type ListedRevision = Type.Static<typeof ListedRevision>;

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
export const AppRevisionPage = Type.Object(
  {
    ...pageWithoutPrevious(),
    actors: Type.Optional(Type.Array(ActorName)),
    archived: Type.Optional(ArchivedRevisions),
  },
  {
    $id: 'AppRevisionPage',
    description: 'One page of a list, which can be read forwards only, with `actors` if `actors` is true.',
  },
);
export type AppRevisionPage = Type.Static<typeof AppRevisionPage>;

function pageWithoutPrevious() {
  const { items, nextCursor } = pageOf(ListedRevision, 'ListedRevision').properties;
  return { items, nextCursor };
}

/** The query of a page of revisions. */
export const AppRevisionQuery = Type.Object(
  { actors: actorsParameter, ...pageParameters },
  { additionalProperties: false },
);

/** What to bring back: exactly one of the first three. */
export const Revert = Type.Object(
  {
    toApproved: Type.Optional(Type.Literal(true, { description: 'Restore the last approved content.' })),
    toRevision: Type.Optional(Type.Integer({ minimum: 1, description: 'Restore the content of this revision.' })),
    toTime: Type.Optional(Type.String({ ...DateTime, description: 'Restore the content at this time.' })),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        format: 'reason',
        description: 'The reason, recorded in the event.',
        examples: ['The account of the developer was taken over.'],
      }),
    ),
  },
  {
    $id: 'Revert',
    additionalProperties: false,
    description: 'Exactly one of `toApproved`, `toRevision` and `toTime` is required.',
  },
);
export type Revert = Type.Static<typeof Revert>;
