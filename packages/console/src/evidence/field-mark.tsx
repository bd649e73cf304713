import type { Rejection } from 'app-registry-client/operator';

/** A message for the developer about one field: one of the `fields` of a rejection. */
export type FieldMark = NonNullable<Rejection['fields']>[number];

/** The JSON Pointer to a field of the content, by which decisions name it. */
export function pointerOf(path: string): string {
  return `/${path.replaceAll('.', '/')}`;
}
