import type { Json } from './interface-guarantee.ts';

/** A complete response. */
export interface HttpResponse {
  status: number;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The decoded body; undefined if it is not UTF-8. */
  text: string | undefined;
}

/** The value at a JSON Pointer (RFC 6901) of a body; undefined if there is none, or if the body is not JSON. */
export function jsonAt({ text }: HttpResponse, pointer: string): Json | undefined {
  let value: Json | undefined = parsed(text);
  for (const token of pointer.split('/').slice(1)) {
    value = fieldOf(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}

/** The own field of an object, or the element of a list. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { [field: string]: Json })[name];
}

function parsed(text = ''): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
