import {
  type AppContentField,
  appContentFields,
  contentUnderPaths,
  contentValue,
  type PartialContent,
} from '../../packages/server/src/features/apps/app-content.ts';

type ChangedField = Exclude<AppContentField, { kind: 'logo' }>;
export type Field = ChangedField['path'];

/** The fields of the content that the requests change, by their paths; null where there is no value. */
export type Content = Record<Field, string | null>;

/** All but the logo, for which the requests would have to upload images. */
const changedFields = appContentFields.filter((field) => field.kind !== 'logo');
export const fields = changedFields.map(({ path }) => path);

/** The fields that take effect immediately when they are removed. */
export const addresses = changedFields.filter((field) => field.clearsImmediately).map(({ path }) => path);
export type Address = (typeof addresses)[number];

/** The fields that a change may set or, if they are optional, remove, without a rule of their own. */
export const ordinaryFields = changedFields.filter((field) => !field.clearsImmediately);

/** The content in a view or an event, whose fields may be absent. */
export type ContentView = PartialContent;

export function contentOf(view: ContentView): Content {
  const values = changedFields.map((field) => [field.path, contentValue(view, field) ?? null]);
  return Object.fromEntries(values);
}

/** The update that gives an app this content. */
export function updateOf(given: Partial<Content>): ContentView {
  const values = new Map<string, string | null>(Object.entries(given));
  return contentUnderPaths(({ path }) => values.get(path));
}

/** A value that no other number has. */
export const newValues: Record<ChangedField['kind'], (field: Field, number: number) => string> = {
  name: (_, number) => `Name ${number}`,
  line: (_, number) => `Value ${number}`,
  lines: (_, number) => `Value\n${number}`,
  colour: (_, number) => `#${(number % 0x1000000).toString(16).padStart(6, '0')}`,
  url: (field, number) => `https://example.com/${field}/${number}`,
};

/** A time that a response has shown, or the least that it can be while none has. */
export interface Time {
  value: string;
  isKnown: boolean;
}
