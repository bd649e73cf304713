import Type from 'typebox';
import { DeveloperApp, ListingInfo, OauthInfo } from './app.ts';
import { LogoId, Name } from './app-fields.ts';
import { pageParameters } from './page.ts';
import { type ReviewStatus, reviewStatuses } from './review.ts';
import { DateTime, RevisionTag } from './text.ts';

/** The operator's view: the developer's view and what review needs. */
export const OperatorApp = Type.Object(
  {
    ...DeveloperApp.properties,
    developerId: Type.String(),
    logoId: Type.Optional(LogoId),
    revision: Type.Integer({
      minimum: 1,
      description: 'Counts changes of the content. Its `ETag` is required to approve or reject the app.',
    }),
    etag: RevisionTag,
    submittedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When it was submitted for review. Absent in every other status.' }),
    ),
    rejectionReason: Type.Optional(Type.String()),
    suspendedStatus: Type.Optional(
      Type.Unsafe<ReviewStatus>({
        type: 'string',
        enum: reviewStatuses,
        description:
          'While its developer is suspended: the review status that the app gets back when the suspension ends.',
      }),
    ),
    changedSinceApproval: Type.Optional(Type.Boolean()),
    approved: Type.Optional(
      Type.Object(
        {
          revision: Type.Integer(),
          name: Name,
          logoId: Type.Optional(LogoId),
          listingInfo: ListingInfo,
          oauthInfo: OauthInfo,
        },
        { description: 'The content that was last approved.' },
      ),
    ),
  },
  { $id: 'OperatorApp', description: 'An app as operators see it.' },
);
export type OperatorApp = Type.Static<typeof OperatorApp>;

/** The query of a page of the apps that await review. */
export const ReviewQueueQuery = Type.Object({ ...pageParameters }, { additionalProperties: false });

/** A deleted app as it was when it was deleted. */
export const DeletedApp = Type.Object(
  { ...OperatorApp.properties, deletedAt: DateTime, restorableUntil: DateTime },
  { $id: 'DeletedApp' },
);
export type DeletedApp = Type.Static<typeof DeletedApp>;

/** The new owner of an app. */
export const Transfer = Type.Object(
  { developerId: Type.String({ minLength: 1, maxLength: 100 }) },
  { $id: 'Transfer', additionalProperties: false },
);
export type Transfer = Type.Static<typeof Transfer>;

/** The query of a page of apps; with several filters, of those that match all. */
export const AppQuery = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<ReviewStatus>({ type: 'string', enum: reviewStatuses })),
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description: 'Start of the name, regardless of case.',
      }),
    ),
    changedSinceApproval: Type.Optional(
      Type.Boolean({ description: 'Whether their content differs from the approved content.' }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AppQuery = Type.Static<typeof AppQuery>;
