import Type from 'typebox';
import { nullable } from '../../kernel/text.ts';
import {
  DeveloperApp,
  fieldsIn,
  ListingInfo,
  type NameIn,
  OauthInfo,
  PlatformApp,
  type SchemaOf,
  shownFields,
} from './app.ts';
import type { AppContentField } from './app-content-fields.ts';

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

/** Read-only fields. An update that sets one gets its own validation error. */
export const readOnlyFields: ReadonlySet<string> = new Set(
  [...Object.keys(DeveloperApp.properties), ...Object.keys(PlatformApp.properties)].filter(
    (field) => !(field in AppUpdate.properties),
  ),
);
