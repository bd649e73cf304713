import Type from 'typebox';
import { AppId, UserId } from '../../kernel/ids.ts';
import {
  idsParameter,
  pageParameters,
  repeated,
  sortParameter,
  timeParameters,
  totalParameter,
} from '../../kernel/page.ts';
import { DateTime, nullable, RevisionTag } from '../../kernel/text.ts';
import { Developer } from '../developers/developer.ts';
import { Installation } from '../installations/installation.ts';
import { type AppContentField, appContentFields, type ContentPath } from './app-content.ts';
import * as appFields from './app-fields.ts';
import { LogoId } from './app-fields.ts';
import { AllowedSteps, claimFields, ReviewStatus, reviewStatuses } from './review/review-status.ts';
import { ReviewWarning } from './review/review-warning.ts';

/** The name of a field in a group, or of one that is in no group (null). */
type NameIn<Group extends string | null, Path extends ContentPath> = Group extends string
  ? Path extends `${Group}.${infer Name}`
    ? Name
    : never
  : Path extends `${string}.${string}`
    ? never
    : Path;
type SchemaOf<Field extends AppContentField> = (typeof appFields)[Field['schema']];

/** The fields of a group as views show them: an optional one may be absent. */
export type ShownFields<Group extends string | null> = {
  [Field in AppContentField as NameIn<Group, Field['path']>]: Field extends { default: null }
    ? Type.TOptional<SchemaOf<Field>>
    : SchemaOf<Field>;
};

/** The properties of `ShownFields`, the required ones first. */
function shownFields<Group extends string | null>(group: Group): ShownFields<Group> {
  const fields = fieldsIn(group).toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional));
  const properties = fields.map(({ name, schema, isOptional }) => [name, isOptional ? Type.Optional(schema) : schema]);
  return Object.fromEntries(properties);
}

const schemas = { ...appFields };

/** The fields of a group, or those that are in no group, in the order of the table. */
function fieldsIn(group: string | null) {
  return appContentFields.flatMap((field) => {
    const [name, nameInGroup] = field.path.split('.') as [string, string?];
    if ((nameInGroup === undefined ? null : name) !== group) return [];
    return [{ name: nameInGroup ?? name, schema: schemas[field.schema], isOptional: field.default === null }];
  });
}

/** Interface 2.4. */
export const ListingInfo = Type.Object(shownFields('listingInfo'), {
  $id: 'ListingInfo',
  description: 'How the app is shown in a marketplace.',
});

/** Interface 2.5. */
export const OauthInfo = Type.Object(shownFields('oauthInfo'), {
  $id: 'OauthInfo',
  description: 'The URLs of the app’s sign-in flow.',
});

/** Interface 2.2: the response of Update App. */
export const DeveloperApp = Type.Object(
  {
    id: AppId,
    name: appFields.Name,
    createdAt: DateTime,
    updatedAt: DateTime,
    reviewStatus: ReviewStatus,
    installationCount: Type.Integer({ minimum: 0, examples: [3] }),
    listingInfo: ListingInfo,
    oauthInfo: OauthInfo,
    logoUrl: Type.Optional(appFields.LogoUrl),
  },
  { $id: 'DeveloperApp', description: 'An app as its developer sees it.' },
);
export type DeveloperApp = Type.Static<typeof DeveloperApp>;

/** Interface 2.3: the response of Get App. */
export const PlatformApp = Type.Object(
  {
    id: AppId,
    name: appFields.Name,
    createdAt: DateTime,
    updatedAt: DateTime,
    reviewStatus: ReviewStatus,
    developer: Developer,
    installations: Type.Array(Installation, {
      description: 'All installations, enabled and disabled, in order of creation.',
    }),
    logoUrl: Type.Optional(appFields.LogoUrl),
  },
  { $id: 'PlatformApp', description: 'An app as the platform sees it.' },
);
export type PlatformApp = Type.Static<typeof PlatformApp>;

/** The fields of a group in an update: each may be absent, and an optional one may be null. */
type UpdatedFields<Group extends string | null> = {
  [Field in AppContentField as NameIn<Group, Field['path']>]: Type.TOptional<
    Field extends { default: null } ? Type.TUnsafe<string | null> : SchemaOf<Field>
  >;
};

function updatedFields<Group extends string | null>(group: Group): UpdatedFields<Group> {
  const properties = fieldsIn(group).map(({ name, schema, isOptional }) => [
    name,
    Type.Optional(isOptional ? nullable(schema) : schema),
  ]);
  return Object.fromEntries(properties);
}

const ListingInfoUpdate = Type.Object(updatedFields('listingInfo'), {
  $id: 'ListingInfoUpdate',
  additionalProperties: false,
});
const OauthInfoUpdate = Type.Object(updatedFields('oauthInfo'), {
  $id: 'OauthInfoUpdate',
  additionalProperties: false,
});

/** Interface 2.8. An absent field stays unchanged; null clears an optional one. */
export const AppUpdate = Type.Object(
  {
    ...updatedFields(null),
    listingInfo: Type.Optional(ListingInfoUpdate),
    oauthInfo: Type.Optional(OauthInfoUpdate),
  },
  {
    $id: 'AppUpdate',
    additionalProperties: false,
    description: 'Only the fields in the body change. Null clears an optional field: omit a field to keep its value.',
  },
);
export type AppUpdate = Type.Static<typeof AppUpdate>;

/** The request to create an app of a developer. */
export const NewApp = Type.Object(
  {
    developerId: Type.String({ minLength: 1, maxLength: 100 }),
    ...shownFields(null),
    listingInfo: Type.Optional(Type.Partial(ListingInfo, { additionalProperties: false })),
    oauthInfo: Type.Optional(Type.Partial(OauthInfo, { additionalProperties: false })),
  },
  { $id: 'NewApp', additionalProperties: false },
);
export type NewApp = Type.Static<typeof NewApp>;

/**
 * What an operator needs of the approved content beside the current one: its revision and, as in a merge patch (RFC 7396) that
 * leads from the current content to the approved one, only the fields that differ.
 */
const ApprovedDifference = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'The revision that was approved.' }),
    etag: RevisionTag,
    ...updatedFields(null),
    listingInfo: Type.Optional(Type.Object(updatedFields('listingInfo'))),
    oauthInfo: Type.Optional(Type.Object(updatedFields('oauthInfo'))),
  },
  {
    $id: 'ApprovedDifference',
    description:
      'The last approved content, if a later revision is current: only its fields that differ from the current content, null where it has no value.',
  },
);

const EffectiveSource = Type.Unsafe<{ source: 'current' | 'approved'; cleared?: string[] } | null>({
  $id: 'EffectiveSource',
  type: ['object', 'null'],
  properties: {
    source: Type.Unsafe<'current' | 'approved'>({
      type: 'string',
      enum: ['current', 'approved'],
      description: 'Which content it is; `current` also where the current content is the approved one.',
    }),
    cleared: Type.Optional(
      Type.Array(Type.String({ examples: ['oauthInfo.callbackUrl'] }), {
        description: 'The fields of that content without effect, because its developer has removed their values since.',
      }),
    ),
  },
  required: ['source'],
  description:
    'What a platform may act on: the current content or, while changes to approved apps are held, the approved content. Null unless the app is `APPROVED`, and of a deleted app.',
});

const reviewed = {
  developerId: UserId,
  etag: RevisionTag,
  submittedAt: Type.Optional(
    Type.String({ ...DateTime, description: 'When it was submitted. Present only while it awaits review.' }),
  ),
  suspendedStatus: Type.Optional(
    Type.Unsafe<ReviewStatus>({
      type: 'string',
      enum: reviewStatuses,
      description:
        'Present while its developer is suspended: the review status that the app returns to when the suspension ends.',
    }),
  ),
  changedSinceApproval: Type.Optional(Type.Boolean()),
  deletedAt: Type.Optional(Type.String({ ...DateTime, description: 'When it was deleted; absent if it is not.' })),
  restorableUntil: Type.Optional(
    Type.String({ ...DateTime, description: 'Until when a deleted app can be restored. Then it is purged.' }),
  ),
};

/** The operator's view: the developer's view, which has the current content, and what review needs. */
export const OperatorApp = Type.Object(
  {
    ...DeveloperApp.properties,
    ...reviewed,
    logoId: Type.Optional(LogoId),
    revision: Type.Integer({
      minimum: 1,
      description: 'The number of the content revision. Its `ETag` is required to approve or reject the app.',
    }),
    rejectionReason: Type.Optional(Type.String()),
    approved: Type.Optional(ApprovedDifference),
    effective: EffectiveSource,
  },
  { $id: 'OperatorApp', description: 'An app as operators see it, with its current content.' },
);
export type OperatorApp = Type.Static<typeof OperatorApp>;

const { listingInfo: _listingInfo, oauthInfo: _oauthInfo, ...summarized } = DeveloperApp.properties;

/** An app in a list. */
export const AppSummary = Type.Object(
  { ...summarized, ...reviewed, effective: EffectiveSource },
  {
    $id: 'AppSummary',
    description:
      'An app in a list, without its content. Its `etag` begins with its revision, and its `logoUrl` ends with the id of its logo.',
  },
);
export type AppSummary = Type.Static<typeof AppSummary>;

/** How much a list shows of each item. */
export type ListView = 'summary' | 'full';
export const viewParameter = {
  view: Type.Optional(
    Type.Unsafe<ListView>({
      type: 'string',
      enum: ['summary', 'full'],
      description: 'What the list shows of each item: `summary` (default), without its content, or `full`.',
    }),
  ),
};

/** An app with what a reviewer should look at. */
export const AppWithWarnings = Type.Object(
  {
    ...OperatorApp.properties,
    warnings: Type.Array(ReviewWarning, {
      description: 'Findings in the current content that a reviewer should check.',
    }),
    reviewSteps: AllowedSteps,
    ...claimFields,
  },
  { $id: 'AppWithWarnings' },
);
export type AppWithWarnings = Type.Static<typeof AppWithWarnings>;

/** The new owner of an app. */
export const Transfer = Type.Object(
  { developerId: Type.String({ minLength: 1, maxLength: 100 }) },
  { $id: 'Transfer', additionalProperties: false },
);
export type Transfer = Type.Static<typeof Transfer>;

/** The query of a page of apps; with several filters, of those that match all, or of those with one of some ids. */
export const AppQuery = Type.Object(
  {
    status: repeated(
      Type.Unsafe<ReviewStatus>({ type: 'string', enum: reviewStatuses }),
      'Only apps with this review status.',
    ),
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
    deleted: Type.Optional(
      Type.Boolean({
        description:
          'Only deleted apps that can be restored. Can be combined with `developerId`, `since` and `until`, and sorted by `id` or `deletedAt`. By default, only apps that are not deleted.',
      }),
    ),
    ...viewParameter,
    ...idsParameter,
    ...sortParameter(['id', 'name', 'createdAt', 'updatedAt', 'deletedAt'], {
      described: '`name` with the filter `name`, the host with `host`, otherwise `id`',
    }),
    ...timeParameters('`createdAt`, `updatedAt` or `deletedAt`, if the list is sorted by it,'),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AppQuery = Type.Static<typeof AppQuery>;
