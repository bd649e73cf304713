import Type from 'typebox';
import {
  BackgroundColor,
  CallbackUrl,
  LoginUrl,
  LogoUrl,
  LongDescription,
  Name,
  ShortDescription,
} from './app-fields.ts';
import { Developer } from './developer.ts';
import { AppId } from './ids.ts';
import { Installation } from './installation.ts';
import { ReviewStatus } from './review/review-status.ts';
import { DateTime } from './text.ts';

/** Interface 2.4. */
export const ListingInfo = Type.Object(
  {
    backgroundColor: BackgroundColor,
    shortDescription: Type.Optional(ShortDescription),
    longDescription: Type.Optional(LongDescription),
  },
  { $id: 'ListingInfo', description: 'How the app is shown in a marketplace.' },
);

/** Interface 2.5. */
export const OauthInfo = Type.Object(
  { loginUrl: Type.Optional(LoginUrl), callbackUrl: Type.Optional(CallbackUrl) },
  { $id: 'OauthInfo', description: 'The URLs of the app’s sign-in flow.' },
);

/** Interface 2.2: the response of Update App. */
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

/** Interface 2.3: the response of Get App. */
export const PlatformApp = Type.Object(
  {
    id: AppId,
    name: Name,
    createdAt: DateTime,
    updatedAt: DateTime,
    reviewStatus: ReviewStatus,
    developer: Developer,
    installations: Type.Array(Installation, {
      description: 'All installations, enabled and disabled, in order of creation.',
    }),
    logoUrl: Type.Optional(LogoUrl),
  },
  { $id: 'PlatformApp', description: 'An app as the platform sees it.' },
);
export type PlatformApp = Type.Static<typeof PlatformApp>;
