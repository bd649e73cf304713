import type { AppContent, AppRow, DeletedAppRow } from '../../storage/tables.ts';
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
type ContentColumns = { [Field in AppContentField as Field['column']]: ValueOf<Field, null> };

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

const pathOfColumn = new Map<keyof ContentColumns, ContentPath>(
  appContentFields.map(({ column, path }) => [column, path]),
);

/** The path of the field that a column stores. */
export function contentPath(column: keyof ContentColumns): string {
  return pathOfColumn.get(column) ?? column;
}

/** Split once: every update reads each path. */
const splitPaths = new Map(appContentFields.map(({ path }) => [path, path.split('.')]));

function namesIn(path: ContentPath): [name: string, nameInGroup: string | undefined] {
  const [name = path, nameInGroup] = splitPaths.get(path) ?? [];
  return [name, nameInGroup];
}

/** Every column of the content. */
const contentColumns = appContentFields.map(({ column }) => column);

/** The content of a new app: the given values, and the defaults of all other fields. */
export function completeContent(given: PartialContent & { name: string }): AppContent {
  return contentRow((field) => contentValue(given, field) ?? defaultOf(field));
}

/** The columns that an update sets: an absent field stays unchanged, null clears it (interface 2.8). */
export function givenContent(update: PartialContent): Partial<AppContent> {
  const given: Record<string, string | null> = {};
  for (const field of appContentFields) {
    const value = contentValue(update, field);
    if (value !== undefined) given[field.column] = value;
  }
  return given;
}

/** The content of a row, without its other columns. */
export function contentIn(row: AppContent): AppContent {
  return contentRow(({ column }) => row[column]);
}

/** The content columns in which two rows differ. */
export function changedContentColumns(before: AppContent, after: AppContent): (keyof AppContent)[] {
  return contentColumns.filter((column) => after[column] !== before[column]);
}

/** The values of some content columns by their paths in the interface; null where a column has no value. */
export function contentData(content: AppContent, columns: readonly (keyof AppContent)[] = contentColumns) {
  return contentUnderPaths(({ column }) => (columns.includes(column) ? content[column] : undefined));
}

/** A value for each content column. */
function contentRow(read: (field: (typeof appContentFields)[number]) => string | null | undefined): ContentColumns {
  const row: Partial<Record<keyof ContentColumns, string | null | undefined>> = {};
  for (const field of appContentFields) row[field.column] = read(field);
  return row as ContentColumns;
}

/** The columns that store the approved content and its revision. */
export function approvedColumns(
  content: AppContent,
  { revision, revisionNonce }: { revision: number; revisionNonce: string },
): Pick<AppRow, 'approved_content' | 'approved_revision' | 'approved_revision_nonce'> {
  return {
    approved_content: snapshotText(content),
    approved_revision: revision,
    approved_revision_nonce: revisionNonce,
  };
}

/** The content as `approved_content` stores it: the JSON of its columns. */
export function snapshotText(content: AppContent): string {
  return JSON.stringify(contentIn(content));
}

/** The content of an app that was last approved; null when it never was. */
export function approvedContent({ approved_content: text }: Pick<AppRow, 'approved_content'>): AppContent | null {
  if (text === null) return null;
  if (latest?.text !== text) latest = { text, content: contentOfSnapshot(JSON.parse(text)) };
  return latest.content;
}

/** One change of an app reads the same snapshot several times. */
let latest: { text: string; content: Readonly<AppContent> } | undefined;

/** The same; also null when the stored snapshot is damaged. */
export function readableApprovedContent(app: Pick<AppRow, 'approved_content'>): AppContent | null {
  try {
    return approvedContent(app);
  } catch {
    return null;
  }
}

/**
 * The content in a stored snapshot. A field that the snapshot lacks is newer and has its default, so an optional field
 * needs no migration of snapshots. A required field needs one, because it has no default. Throws a `TypeError` if a
 * required field is missing or a value is invalid.
 */
export function contentOfSnapshot(snapshot: unknown): AppContent {
  const stored: Record<string, unknown> = Object(snapshot);
  return contentRow((field) => {
    const value = stored[field.column] === undefined ? defaultOf(field) : stored[field.column];
    if (typeof value === 'string' || (value === null && isOptional(field))) return value;
    throw new TypeError(`a stored snapshot has no valid value of ${field.column}`);
  });
}

/**
 * The comparison key of a name: names that people would confuse have the same key. The key of a key is the key itself, and
 * what a name starts with has a key that the key of the name starts with.
 */
export function nameKey(name: string): string {
  // Most names: normalisation changes none of these characters.
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return (
    name
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Decomposed before the case is folded (Unicode, D145): folding makes a letter of U+0345, after which marks are not ordered.
      .normalize('NFKD')
      // Upper case, so that ß meets SS; lower case before it, so that the capital ẞ does too.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // The lower case of a sigma depends on its neighbours, but its key must not.
      .replaceAll('ς', 'σ')
      .normalize('NFKC')
  );
}

/** Letters that people type without their stroke or ligature, and that Unicode does not decompose. */
const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe' };

/**
 * What a text is searched by: its comparison key without accents. Marks of one script, such as the vowels of Devanagari, and
 * the voicing of kana make other letters, and stay.
 */
export function searchKey(text: string): string {
  const key = nameKey(text);
  if (/^[ -~]*$/.test(key)) return key;
  return key
    .normalize('NFD')
    .replace(/(?![\u3099\u309a])\p{Script=Inherited}/gu, '')
    .replace(/[øłđħŧæœ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

/** How long a deleted app can be restored. */
export const restorableMs = 30 * 86_400_000;

/** Whether an app deleted at one time can be restored at another. If not, it counts as purged even before it is. */
export function isRestorable(deletedAt: number, at: number): boolean {
  return deletedAt > at - restorableMs;
}

/** The stored row of a deleted app, without installations and without a claim to its name. */
export function toDeletedRow(app: AppRow, deletedAt: number): DeletedAppRow {
  const row = JSON.stringify({ ...app, installation_count: 0, name_claim: null });
  return { id: app.id, developer_id: app.developer_id, row, deleted_at: deletedAt };
}

/** The app as it was when it was deleted, without installations. Throws when its content cannot have been stored. */
export function appOfDeleted({ row: text }: DeletedAppRow): AppRow {
  const app = JSON.parse(text);
  return { ...app, ...contentOfSnapshot(app) };
}
