import type * as appFields from './app-fields.ts';

/** The kind of a value: how people see and edit it. */
export type ContentKind = 'name' | 'logo' | 'line' | 'lines' | 'colour' | 'url';

/**
 * One field of an app's content: what its developer edits, a reviewer approves and a marketplace shows. Every property is
 * required, so that the author of a new field decides all of them.
 */
interface ContentFieldDeclaration {
  /** The column of `apps`. The command line's option has the same name, with hyphens. */
  column: string;
  /** Where updates, views, events and imports hold it: a name, or a group and a name. */
  path: string;
  /** The export of `app-fields.ts` that validates a value. A type-only import: the console reads this table too. */
  schema: keyof typeof appFields;
  kind: ContentKind;
  /** The value in a new app. Null: the field is optional, and null clears it. Undefined: the field is required. */
  default: string | null | undefined;
  /** Its name for people. */
  label: string;
  /** Added to the label in the help of the command line and the forms of the console. */
  help: string;
  /** Whether the platform view shows it too. The developer view and the operator view show every field. */
  isInPlatformView: boolean;
  /** Whether a marketplace shows it on the card of the app, which reviewers see as a preview. */
  isOnCard: boolean;
  /**
   * Whether clearing it takes effect immediately, also where the approved content stays: consumers must not use the value
   * any more.
   */
  clearsImmediately: boolean;
  /** As what it is compared with other apps, for the warnings of review. Lists by host include it if a host. */
  comparedAs: 'name' | 'host' | null;
  /** As what operators find the app by it. `features/apps/comparison/projections.ts` makes the text. */
  searchedAs: 'name' | 'host' | null;
}

/** Every field of an app's content, declared once. All code that lists, reads or writes content derives from it. */
export const appContentFields = [
  {
    column: 'name',
    path: 'name',
    schema: 'Name',
    kind: 'name',
    default: undefined,
    label: 'Name',
    help: 'unique among all apps, regardless of case',
    isInPlatformView: true,
    isOnCard: true,
    clearsImmediately: false,
    comparedAs: 'name',
    searchedAs: 'name',
  },
  {
    column: 'logo_id',
    path: 'logoId',
    schema: 'LogoId',
    kind: 'logo',
    default: null,
    label: 'Logo',
    help: 'an uploaded logo of the same developer',
    isInPlatformView: true,
    isOnCard: true,
    clearsImmediately: false,
    comparedAs: null,
    searchedAs: null,
  },
  {
    column: 'short_description',
    path: 'listingInfo.shortDescription',
    schema: 'ShortDescription',
    kind: 'line',
    default: null,
    label: 'Short description',
    help: 'a single line',
    isInPlatformView: false,
    isOnCard: true,
    clearsImmediately: false,
    comparedAs: null,
    searchedAs: null,
  },
  {
    column: 'long_description',
    path: 'listingInfo.longDescription',
    schema: 'LongDescription',
    kind: 'lines',
    default: null,
    label: 'Long description',
    help: 'may have several lines',
    isInPlatformView: false,
    isOnCard: true,
    clearsImmediately: false,
    comparedAs: null,
    searchedAs: null,
  },
  {
    column: 'background_color',
    path: 'listingInfo.backgroundColor',
    schema: 'BackgroundColor',
    kind: 'colour',
    default: '#ffffff',
    label: 'Background colour',
    help: '#rgb or #rrggbb',
    isInPlatformView: false,
    isOnCard: true,
    clearsImmediately: false,
    comparedAs: null,
    searchedAs: null,
  },
  {
    column: 'login_url',
    path: 'oauthInfo.loginUrl',
    schema: 'LoginUrl',
    kind: 'url',
    default: null,
    label: 'Login URL',
    help: 'where a user starts to sign in',
    isInPlatformView: false,
    isOnCard: false,
    clearsImmediately: true,
    comparedAs: 'host',
    searchedAs: 'host',
  },
  {
    column: 'callback_url',
    path: 'oauthInfo.callbackUrl',
    schema: 'CallbackUrl',
    kind: 'url',
    default: null,
    label: 'Callback URL',
    help: 'where a user is sent after authorisation',
    isInPlatformView: false,
    isOnCard: false,
    clearsImmediately: true,
    comparedAs: 'host',
    searchedAs: 'host',
  },
] as const satisfies readonly ContentFieldDeclaration[];

export type AppContentField = (typeof appContentFields)[number];
export type ContentPath = AppContentField['path'];

/** The type of a field's value; `Empty` stands for the missing value of an optional field. */
type ValueOf<Field, Empty> = Field extends { default: null } ? string | Empty : string;

/** The content columns of a row. */
export type ContentColumns = { [Field in AppContentField as Field['column']]: ValueOf<Field, null> };

type GroupOf<Path> = Path extends `${infer Group}.${string}` ? Group : never;
type Ungrouped<Field> = Field extends { path: `${string}.${string}` } ? never : Field;

/** Some of the content under its paths, as in an update, an import or an event. */
export type PartialContent<Empty extends null = null> = {
  [Field in Ungrouped<AppContentField> as Field['path']]?: ValueOf<Field, Empty>;
} & {
  [Group in GroupOf<ContentPath>]?: {
    [Field in AppContentField as Field['path'] extends `${Group}.${infer Name}` ? Name : never]?: ValueOf<Field, Empty>;
  };
};

/** The value in a new app; undefined when the field is required. */
export function defaultOf(field: ContentFieldDeclaration): string | null | undefined {
  return field.default;
}

/** Whether null clears a field. */
export function isOptional(field: ContentFieldDeclaration): boolean {
  return field.default === null;
}

type Leaf = string | null | undefined;

/** Any object that may hold content under its paths. */
type UnderPaths = Readonly<Record<string, Leaf | Readonly<Record<string, Leaf>>>>;

/** The value of a field in content under its paths; undefined when the field is absent. */
export function contentValue(content: UnderPaths, { path }: AppContentField): Leaf {
  const [name, nameInGroup] = namesIn(path);
  const value = content[name];
  if (nameInGroup === undefined) return typeof value === 'object' && value !== null ? undefined : value;
  return typeof value === 'object' && value !== null ? value[nameInGroup] : undefined;
}

/** Puts values under their paths. A field without a value (undefined) is left out, and so is a group without fields. */
export function contentUnderPaths<Empty extends null>(
  read: (field: AppContentField) => string | Empty | undefined,
): PartialContent<Empty> {
  const content: Record<string, string | Empty | Record<string, string | Empty>> = {};
  const groups: Record<string, Record<string, string | Empty>> = {};
  for (const field of appContentFields) {
    const value = read(field);
    if (value === undefined) continue;
    const [name, nameInGroup] = namesIn(field.path);
    if (nameInGroup === undefined) content[name] = value;
    else {
      groups[name] ??= content[name] = {};
      groups[name][nameInGroup] = value;
    }
  }
  return content;
}

/** Split once: every update reads each path. */
const splitPaths = new Map(appContentFields.map(({ path }) => [path, path.split('.')]));

function namesIn(path: ContentPath): [name: string, nameInGroup: string | undefined] {
  const [name = path, nameInGroup] = splitPaths.get(path) ?? [];
  return [name, nameInGroup];
}
