import Type from 'typebox';
import { Developer } from './developer.ts';
import { Installation } from './installation.ts';
import { pageParameters } from './page.ts';
import { DateTime, nullable } from './text.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'app-name',
  description:
    'Unique among the apps of the registry, whatever its case. No white space or invisible character at either end.',
  examples: ['Invoice Sync'],
});
const BackgroundColor = Type.String({
  minLength: 1,
  format: 'color',
  description: '`#rgb` or `#rrggbb`.',
  examples: ['#0b5fff'],
});
const ShortDescription = Type.String({
  minLength: 1,
  maxLength: 500,
  format: 'single-line',
  description: 'One line.',
  examples: ['Keeps invoices and ledgers in step.'],
});
const LongDescription = Type.String({
  minLength: 1,
  maxLength: 4000,
  format: 'multi-line',
  examples: ['Invoice Sync copies every invoice to your ledger within a minute.\n\nNothing to configure.'],
});
const WebAddress = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2048, format: 'web-address', description, examples: [example] });
const LoginUrl = WebAddress('Where a user begins to sign in.', 'https://invoice-sync.example/login');
const CallbackUrl = WebAddress(
  'Where the platform sends the user after authorisation.',
  'https://invoice-sync.example/oauth/callback',
);
const LogoId = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'single-line',
  description: 'The id that the upload of a logo gave.',
  examples: ['logo_01jq3va2c8f0ntb5m6b7k8c9d0'],
});

const AppId = Type.String({ examples: ['app_01jq3v9y6ae0xv5m6b7k8c9d0e'] });
const LogoUrl = Type.String({
  format: 'uri',
  description: 'A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.',
  examples: ['https://apps.example.com/logos/logo_01jq3va2c8f0ntb5m6b7k8c9d0'],
});

/** Interface section 3. */
export const reviewStatuses = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
export const ReviewStatus = Type.Unsafe<ReviewStatus>({
  $id: 'ReviewStatus',
  type: 'string',
  enum: reviewStatuses,
  description: 'Where the app stands in review. No update changes it.',
});

/** Interface 2.4. */
const ListingInfo = Type.Object(
  {
    backgroundColor: BackgroundColor,
    shortDescription: Type.Optional(ShortDescription),
    longDescription: Type.Optional(LongDescription),
  },
  { $id: 'ListingInfo', description: 'How the app is shown in a marketplace.' },
);

/** Interface 2.5. */
const OauthInfo = Type.Object(
  { loginUrl: Type.Optional(LoginUrl), callbackUrl: Type.Optional(CallbackUrl) },
  { $id: 'OauthInfo', description: 'The addresses of the sign-in flow of the app.' },
);

/** Interface 2.2: what Update App answers. */
export const DeveloperApp = Type.Object(
  {
    id: AppId,
    name: Name,
    createdAt: DateTime,
    updatedAt: DateTime,
    reviewStatus: ReviewStatus,
    installationCount: Type.Integer({ minimum: 0, examples: [3] }),
    listingInfo: ListingInfo,
    oauthInfo: OauthInfo,
    logoUrl: Type.Optional(LogoUrl),
  },
  { $id: 'DeveloperApp', description: 'An app as its developer sees it.' },
);
export type DeveloperApp = Type.Static<typeof DeveloperApp>;

/** Interface 2.3: what Get App answers. */
export const PlatformApp = Type.Object(
  {
    id: AppId,
    name: Name,
    createdAt: DateTime,
    updatedAt: DateTime,
    reviewStatus: ReviewStatus,
    developer: Developer,
    installations: Type.Array(Installation, {
      description: 'All of them, enabled and disabled, in the order of their creation.',
    }),
    logoUrl: Type.Optional(LogoUrl),
  },
  { $id: 'PlatformApp', description: 'An app as the platform sees it.' },
);
export type PlatformApp = Type.Static<typeof PlatformApp>;

/** What the people who run the registry see: the developer's view and what review needs. */
export const OperatorApp = Type.Object(
  {
    ...DeveloperApp.properties,
    developerId: Type.String(),
    logoId: Type.Optional(LogoId),
    revision: Type.Integer({ minimum: 1, description: 'Counts changes of the content; approve names it.' }),
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
  { $id: 'OperatorApp' },
);
export type OperatorApp = Type.Static<typeof OperatorApp>;

const ListingInfoUpdate = Type.Object(
  {
    shortDescription: Type.Optional(nullable(ShortDescription)),
    longDescription: Type.Optional(nullable(LongDescription)),
    backgroundColor: Type.Optional(BackgroundColor),
  },
  { $id: 'ListingInfoUpdate', additionalProperties: false },
);
const OauthInfoUpdate = Type.Object(
  { loginUrl: Type.Optional(nullable(LoginUrl)), callbackUrl: Type.Optional(nullable(CallbackUrl)) },
  { $id: 'OauthInfoUpdate', additionalProperties: false },
);

/** Interface 2.8. Absent leaves a field alone, null removes an optional one. */
export const AppUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    logoId: Type.Optional(nullable(LogoId)),
    listingInfo: Type.Optional(ListingInfoUpdate),
    oauthInfo: Type.Optional(OauthInfoUpdate),
  },
  {
    $id: 'AppUpdate',
    additionalProperties: false,
    description:
      'Only the members that are present change. Null removes the value of an optional field. Do not pad the body with nulls.',
  },
);
export type AppUpdate = Type.Static<typeof AppUpdate>;

/** What creates an app: an update with a name, for a developer. */
export const NewApp = Type.Object(
  {
    developerId: Type.String({ minLength: 1, maxLength: 100 }),
    name: Name,
    logoId: Type.Optional(LogoId),
    listingInfo: Type.Optional(
      Type.Object(
        {
          shortDescription: Type.Optional(ShortDescription),
          longDescription: Type.Optional(LongDescription),
          backgroundColor: Type.Optional(BackgroundColor),
        },
        { additionalProperties: false },
      ),
    ),
    oauthInfo: Type.Optional(
      Type.Object(
        { loginUrl: Type.Optional(LoginUrl), callbackUrl: Type.Optional(CallbackUrl) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type NewApp = Type.Static<typeof NewApp>;

/** An app that was just deleted, as it was then. */
export type DeletedApp = OperatorApp & { deletedAt: string; restorableUntil: string };

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
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AppQuery = Type.Static<typeof AppQuery>;

/** Members of an app that answers show and no update sets; naming one is told as such. */
export const readOnlyMembers: ReadonlySet<string> = new Set(
  [...Object.keys(DeveloperApp.properties), ...Object.keys(PlatformApp.properties)].filter(
    (member) => !(member in AppUpdate.properties),
  ),
);

/** Why an app is rejected or revoked, told to its developer. */
export const ReviewReason = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 2000, format: 'multi-line' }) },
  { additionalProperties: false },
);
