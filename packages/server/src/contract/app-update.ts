import Type from 'typebox';
import { DeveloperApp, ListingInfo, OauthInfo, PlatformApp } from './app.ts';
import {
  BackgroundColor,
  CallbackUrl,
  LoginUrl,
  LogoId,
  LongDescription,
  Name,
  ShortDescription,
} from './app-fields.ts';
import { nullable } from './text.ts';

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

/** Interface 2.8. An absent field stays unchanged; null clears an optional one. */
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
    description: 'Only the fields in the body change. Null clears an optional field: omit a field to keep its value.',
  },
);
export type AppUpdate = Type.Static<typeof AppUpdate>;

/** The request to create an app of a developer. */
export const NewApp = Type.Object(
  {
    developerId: Type.String({ minLength: 1, maxLength: 100 }),
    name: Name,
    logoId: Type.Optional(LogoId),
    listingInfo: Type.Optional(Type.Partial(ListingInfo, { additionalProperties: false })),
    oauthInfo: Type.Optional(Type.Partial(OauthInfo, { additionalProperties: false })),
  },
  { $id: 'NewApp', additionalProperties: false },
);
export type NewApp = Type.Static<typeof NewApp>;

/** Read-only fields. An update that sets one gets its own validation error. */
export const readOnlyFields: ReadonlySet<string> = new Set(
  [...Object.keys(DeveloperApp.properties), ...Object.keys(PlatformApp.properties)].filter(
    (field) => !(field in AppUpdate.properties),
  ),
);
