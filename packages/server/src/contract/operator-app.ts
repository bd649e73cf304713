import Type from 'typebox';
import { DeveloperApp, ListingInfo, OauthInfo } from './app.ts';
import { LogoId, Name } from './app-fields.ts';
import { pageParameters } from './page.ts';
import { type ReviewStatus, reviewStatuses } from './review.ts';
import { DateTime } from './text.ts';

/** What the people who run the registry see: the developer's view and what review needs. */
export const OperatorApp = Type.Object(
  {
    ...DeveloperApp.properties,
    developerId: Type.String(),
    logoId: Type.Optional(LogoId),
    revision: Type.Integer({ minimum: 1, description: 'Counts changes of the content; approve names it.' }),
    submittedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'Since when it awaits review. Absent in every other status.' }),
    ),
    rejectionReason: Type.Optional(Type.String()),
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
        { description: 'The content as it was when last approved.' },
      ),
    ),
  },
  { $id: 'OperatorApp', description: 'An app as the people who run the registry see it.' },
);
export type OperatorApp = Type.Static<typeof OperatorApp>;

/** What asks for a page of the apps that await review. */
export const ReviewQueueQuery = Type.Object({ ...pageParameters }, { additionalProperties: false });

/** An app that was just deleted, as it was then. */
export const DeletedApp = Type.Object(
  { ...OperatorApp.properties, deletedAt: DateTime, restorableUntil: DateTime },
  { $id: 'DeletedApp' },
);
export type DeletedApp = Type.Static<typeof DeletedApp>;

/** Whom an app is given to. */
export const Transfer = Type.Object(
  { developerId: Type.String({ minLength: 1, maxLength: 100 }) },
  { $id: 'Transfer', additionalProperties: false },
);
export type Transfer = Type.Static<typeof Transfer>;

/** What asks for a page of apps; with several filters, of those that meet all. */
export const AppQuery = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<ReviewStatus>({ type: 'string', enum: reviewStatuses })),
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description: 'How the names begin, whatever their case.',
      }),
    ),
    changedSinceApproval: Type.Optional(
      Type.Boolean({ description: 'Whether their content is another one than was approved.' }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AppQuery = Type.Static<typeof AppQuery>;
