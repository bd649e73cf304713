import Type from 'typebox';
import { UserId } from '../../kernel/ids.ts';
import { idsParameter, pageParameters, sortParameter, totalParameter } from '../../kernel/page-parameters.ts';
import { DateTime, RevisionTag } from '../../kernel/text.ts';
import { DeveloperApp, ListingInfo, OauthInfo } from './app.ts';
import { LogoId, Name } from './app-fields.ts';
import { AllowedSteps, ReviewClaim, type ReviewStatus, reviewStatuses } from './review/review-status.ts';
import { ReviewWarning } from './review/warnings/review-warning.ts';

const EffectiveContent = Type.Object({
  name: Name,
  logoId: Type.Optional(LogoId),
  listingInfo: ListingInfo,
  oauthInfo: OauthInfo,
});
type EffectiveContent = Type.Static<typeof EffectiveContent>;

const ContentAtRevision = Type.Object({
  revision: Type.Integer(),
  etag: RevisionTag,
  ...EffectiveContent.properties,
});

/** The operator's view: the developer's view and what review needs. */
export const OperatorApp = Type.Object(
  {
    ...DeveloperApp.properties,
    developerId: UserId,
    logoId: Type.Optional(LogoId),
    revision: Type.Integer({
      minimum: 1,
      description: 'The number of the content revision. Its `ETag` is required to approve or reject the app.',
    }),
    etag: RevisionTag,
    submittedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When it was submitted. Present only while it awaits review.' }),
    ),
    rejectionReason: Type.Optional(Type.String()),
    suspendedStatus: Type.Optional(
      Type.Unsafe<ReviewStatus>({
        type: 'string',
        enum: reviewStatuses,
        description:
          'Present while its developer is suspended: the review status that the app returns to when the suspension ends.',
      }),
    ),
    changedSinceApproval: Type.Optional(Type.Boolean()),
    approved: Type.Optional(Type.Object(ContentAtRevision.properties, { description: 'The last approved content.' })),
    current: Type.Object(ContentAtRevision.properties, {
      description: 'The current content, as its developer edits it.',
    }),
    effective: Type.Unsafe<EffectiveContent | null>({
      type: ['object', 'null'],
      properties: EffectiveContent.properties,
      required: ['name', 'listingInfo', 'oauthInfo'],
      description:
        'What a platform may act on: the current content or, while changes to approved apps are held, the approved content without URLs that were removed since. Null unless the app is `APPROVED`.',
    }),
  },
  { $id: 'OperatorApp', description: 'An app as operators see it.' },
);
export type OperatorApp = Type.Static<typeof OperatorApp>;

/** An app with what a reviewer should look at. */
export const AppWithWarnings = Type.Object(
  {
    ...OperatorApp.properties,
    warnings: Type.Array(ReviewWarning, {
      description: 'Findings in the current content that a reviewer should check.',
    }),
    reviewSteps: AllowedSteps,
    claim: Type.Optional(ReviewClaim),
  },
  { $id: 'AppWithWarnings' },
);
export type AppWithWarnings = Type.Static<typeof AppWithWarnings>;

const { effective: _, ...deletedAppProperties } = OperatorApp.properties;

/** A deleted app as it was when it was deleted. */
export const DeletedApp = Type.Object(
  { ...deletedAppProperties, deletedAt: DateTime, restorableUntil: DateTime },
  { $id: 'DeletedApp' },
);
export type DeletedApp = Type.Static<typeof DeletedApp>;

/** The new owner of an app. */
export const Transfer = Type.Object(
  { developerId: Type.String({ minLength: 1, maxLength: 100 }) },
  { $id: 'Transfer', additionalProperties: false },
);
export type Transfer = Type.Static<typeof Transfer>;

export const appSorts = ['id', 'name'] as const;
export const deletedAppSorts = ['id', 'deletedAt'] as const;

/** The query of a page of apps; with several filters, of those that match all, or of those with one of some ids. */
export const AppQuery = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<ReviewStatus>({ type: 'string', enum: reviewStatuses })),
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description: 'Only apps whose name starts with this, regardless of case.',
      }),
    ),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'single-line',
        description:
          'Only apps with a current or approved login or callback URL at this host or a subdomain. Any page may then have fewer apps than the limit, or none.',
        examples: ['evil.example'],
      }),
    ),
    changedSinceApproval: Type.Optional(
      Type.Boolean({ description: 'Only apps whose content differs from the approved content, or only the others.' }),
    ),
    ...idsParameter,
    ...sortParameter(appSorts),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AppQuery = Type.Static<typeof AppQuery>;

/** The query of a page of deleted apps, of all developers or of one. */
export const DeletedAppQuery = Type.Object(
  {
    developerId: AppQuery.properties.developerId,
    ...sortParameter(deletedAppSorts),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type DeletedAppQuery = Type.Static<typeof DeletedAppQuery>;
