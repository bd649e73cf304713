import Type from 'typebox';
import { ListingInfo, OauthInfo } from '../app.ts';
import { LogoId, Name } from '../app-fields.ts';
import { contentPaths } from '../event-query.ts';
import { EventId } from '../ids.ts';
import { pageOf, pageParameters } from '../page.ts';
import { openString } from '../problem.ts';
import { DateTime, RevisionTag } from '../text.ts';

const madeBy = 'Absent where the event that has made it is archived, or was never here.';

const revisionFields = {
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Its number. Absent where an import of an earlier release may have skipped some: name its time instead.',
    }),
  ),
  etag: Type.Optional(
    Type.String({
      ...RevisionTag,
      description: 'The `ETag` of this revision. Absent for older revisions that an earlier release has stored.',
    }),
  ),
  createdAt: Type.Optional(Type.String({ ...DateTime, description: madeBy })),
  actor: Type.Optional(Type.String({ description: `Who has made it. ${madeBy}` })),
  eventId: Type.Optional(Type.String({ ...EventId, description: `The event that has made it. ${madeBy}` })),
  isCurrent: Type.Boolean({ description: 'Whether it is what the developer has now.' }),
  isApproved: Type.Boolean({ description: 'Whether it is the revision that was last approved.' }),
};

/** One revision of an app's content. */
export const AppRevision = Type.Object(
  {
    ...revisionFields,
    replacedAt: Type.Optional(Type.String({ ...DateTime, description: 'When the next revision was made.' })),
    name: Name,
    logoId: Type.Optional(LogoId),
    listingInfo: ListingInfo,
    oauthInfo: OauthInfo,
  },
  { $id: 'AppRevision', description: "One revision of an app's content, as its developer had it." },
);
export type AppRevision = Type.Static<typeof AppRevision>;

/** A revision in a list. */
const ListedRevision = Type.Object(
  {
    ...revisionFields,
    changed: Type.Optional(
      Type.Array(openString(contentPaths, {}), {
        description: `The fields that it has changed; later releases may add fields. Absent for the first revision. ${madeBy}`,
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
    description: 'Present at the end of the list when the events of earlier revisions are archived: where they may be.',
  },
);

/** A page of an app's revisions. */
export const AppRevisionPage = Type.Object(
  { ...pageWithoutPrevious(), archived: Type.Optional(ArchivedRevisions) },
  { $id: 'AppRevisionPage', description: 'One page of a list that is read in one direction.' },
);
export type AppRevisionPage = Type.Static<typeof AppRevisionPage>;

function pageWithoutPrevious() {
  const { items, nextCursor } = pageOf(ListedRevision, 'ListedRevision').properties;
  return { items, nextCursor };
}

/** The query of a page of revisions. */
export const AppRevisionQuery = Type.Object({ ...pageParameters }, { additionalProperties: false });

/** What to bring back: exactly one of the first three. */
export const Revert = Type.Object(
  {
    toApproved: Type.Optional(Type.Literal(true, { description: 'The content that was last approved.' })),
    toRevision: Type.Optional(Type.Integer({ minimum: 1, description: 'The content of this revision.' })),
    toTime: Type.Optional(Type.String({ ...DateTime, description: 'The content that the app had at this time.' })),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        format: 'reason',
        description: 'Why. It is recorded in the event.',
        examples: ['The account of the developer was taken over.'],
      }),
    ),
  },
  {
    $id: 'Revert',
    additionalProperties: false,
    description: 'Exactly one of `toApproved`, `toRevision` and `toTime`.',
  },
);
export type Revert = Type.Static<typeof Revert>;
