/**
 * The values that this release sends, of a string of which a later one may send others; undefined for any other schema.
 * Documents say it as a union of an enum and any string.
 */
export function knownValues(schema: object): string[] | undefined {
  const { anyOf }: OpenString = schema;
  const [known, any, ...others] = anyOf ?? [];
  const isAnyString = any?.type === 'string' && Object.keys(any).length === 1;
  return isAnyString && others.length === 0 ? known?.enum : undefined;
}

interface OpenString {
  anyOf?: { type?: string; enum?: string[] }[];
}
