import { contentFields } from './content-fields.ts';
import { type HttpResponse, jsonAt } from './http-response.ts';
import type { Json } from './interface-guarantee.ts';

export type ContentField = (typeof contentFields)[number];
export type ContentKind = ContentField['kind'];

/** Every field that can be set without a logo. */
export const settableFields = contentFields.filter(({ kind }) => kind !== 'logo');

/** The content of an app by JSON Pointers in the developer view. */
export type AppContent = Readonly<Record<string, Json>>;

/** The content that a developer view shows; null stands for no value. */
export function contentOf(view: HttpResponse): AppContent {
  return Object.fromEntries(contentFields.map(placeInView).map((place) => [place, jsonAt(view, place) ?? null]));
}

/** The update that restores this content. No view shows the `logoId`, so no run changes an app's own logo. */
export function updateTo(content: AppContent): { [field: string]: Json } {
  return updateWithFields((field) => {
    const value = content[placeInView(field)];
    return field.kind === 'logo' && value !== null ? undefined : value;
  });
}

export function placeInView({ kind, pointer }: ContentField): string {
  return kind === 'logo' ? '/logoUrl' : pointer;
}

/** An update of the fields that have a value here. */
export function updateWithFields(read: (field: ContentField) => Json | undefined): { [field: string]: Json } {
  const update: { [field: string]: Json } = {};
  for (const field of contentFields) {
    const value = read(field);
    if (value === undefined) continue;
    const [name, nameInGroup] = namesOf(field);
    update[name] = nameInGroup === undefined ? value : { ...Object(update[name]), [nameInGroup]: value };
  }
  return update;
}

/** The name of a field, or of its group and in its group. */
export function namesOf({ pointer }: ContentField): [name: string, nameInGroup: string | undefined] {
  const [, name = '', nameInGroup] = pointer.split('/');
  return [name, nameInGroup];
}
