import type { AppUpdate, DeveloperApp } from '@appregistrar/client';

/** A field that developers edit. */
export interface Field {
  /** Its path in an update. */
  path: string;
  label: string;
  help: string;
  kind: 'text' | 'long' | 'color' | 'url';
  isRequired?: boolean;
  /** How many characters it may have (interface, section 2). */
  charactersMax: number;
}

/** The path of each field that an update sets: its name, or that of its group and its own. */
type PathIn<Update, Prefix extends string = ''> = {
  [Name in keyof Update & string]-?: NonNullable<Update[Name]> extends string
    ? `${Prefix}${Name}`
    : PathIn<NonNullable<Update[Name]>, `${Name}.`>;
}[keyof Update & string];

/** All but the logo, which is an image. A field that is new in the registry fails to compile here until it is in the form. */
const declared: Record<Exclude<PathIn<AppUpdate>, 'logoId'>, Omit<Field, 'path'>> = {
  name: { label: 'Name', help: 'Unique in the marketplace.', kind: 'text', isRequired: true, charactersMax: 100 },
  'listingInfo.shortDescription': {
    label: 'Short description',
    help: 'One line, shown on the card.',
    kind: 'text',
    charactersMax: 500,
  },
  'listingInfo.longDescription': {
    label: 'Description',
    help: 'Shown on the app page.',
    kind: 'long',
    charactersMax: 4_000,
  },
  'listingInfo.backgroundColor': {
    label: 'Colour',
    help: 'Behind the logo.',
    kind: 'color',
    isRequired: true,
    charactersMax: 7,
  },
  'oauthInfo.loginUrl': {
    label: 'Login URL',
    help: 'Where customers open the app.',
    kind: 'url',
    charactersMax: 2_048,
  },
  'oauthInfo.callbackUrl': {
    label: 'Callback URL',
    help: 'Where users return after signing in.',
    kind: 'url',
    charactersMax: 2_048,
  },
};

export const fields: Field[] = Object.entries(declared).map(([path, field]) => ({ path, ...field }));

/** The text of each field by its path; empty if there is no value. */
export type Values = Record<string, string>;

/** Anything that has the content of an app: a view of it, its approved or its current content. */
type Content = Pick<DeveloperApp, 'name' | 'listingInfo' | 'oauthInfo'>;

export function valuesOf(content: Content): Values {
  return Object.fromEntries(
    fields.map(({ path, kind }) => [path, kind === 'color' ? asSent(valueAt(content, path)) : valueAt(content, path)]),
  );
}

/** The text of each field in a submitted form. Browsers send line ends as CRLF. */
export function sentValues(form: Record<string, unknown>): Values {
  return Object.fromEntries(fields.map(({ path }) => [path, String(form[path] ?? '').replaceAll('\r\n', '\n')]));
}

/** A merge patch: an unchanged field is absent, an emptied one is null, any other has its new value. */
export function updateOf(before: Values, after: Values): AppUpdate {
  const update: Record<string, unknown> = {};
  for (const path of changedPaths(before, after)) {
    const [name = '', inner] = path.split('.');
    const value = after[path] || (fieldAt(path)?.isRequired ? '' : null);
    if (inner === undefined) update[name] = value;
    else update[name] = { ...(update[name] as object), [inner]: value };
  }
  return update;
}

export function changedPaths(before: Values, after: Values): string[] {
  return fields.map(({ path }) => path).filter((path) => before[path] !== after[path]);
}

/** The labels of the fields with these paths. */
export function labelsOf(paths: readonly string[]): string {
  return paths.map((path) => (path === 'logoId' ? 'Logo' : (fieldAt(path)?.label ?? path))).join(', ');
}

/** The path of a field that the registry names by a JSON Pointer. */
export function pathOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

function fieldAt(path: string): Field | undefined {
  return fields.find((field) => field.path === path);
}

/** A colour as browsers send it: six digits in lower case. Otherwise one that was not touched would count as changed. */
function asSent(color: string): string {
  return color.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
}

function valueAt(content: Content, path: string): string {
  const value = path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], content);
  return typeof value === 'string' ? value : '';
}
