import Type from 'typebox';
import { AppId } from '../../kernel/ids.ts';
import { DateTime } from '../../kernel/text.ts';
import { Developer } from '../developers/developer.ts';
import { Installation } from '../installations/installation.ts';
import { type AppContentField, appContentFields, type ContentPath } from './app-content-fields.ts';
import * as appFields from './app-fields.ts';
import { ReviewStatus } from './review/review-status.ts';

/** The name of a field in a group, or of one that is in no group (null). */
export type NameIn<Group extends string | null, Path extends ContentPath> = Group extends string
  ? Path extends `${Group}.${infer Name}`
    ? Name
    : never
  : Path extends `${string}.${string}`
    ? never
    : Path;
export type SchemaOf<Field extends AppContentField> = (typeof appFields)[Field['schema']];

/** The fields of a group as views show them: an optional one may be absent. */
export type ShownFields<Group extends string | null> = {
  [Field in AppContentField as NameIn<Group, Field['path']>]: Field extends { default: null }
    ? Type.TOptional<SchemaOf<Field>>
    : SchemaOf<Field>;
};

/** The properties of `ShownFields`, the required ones first. */
export function shownFields<Group extends string | null>(group: Group): ShownFields<Group> {
  const fields = fieldsIn(group).toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional));
  const properties = fields.map(({ name, schema, isOptional }) => [name, isOptional ? Type.Optional(schema) : schema]);
  return Object.fromEntries(properties);
}

const schemas = { ...appFields };

/** The fields of a group, or those that are in no group, in the order of the table. */
export function fieldsIn(group: string | null) {
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
