const reference = /^#\/components\/(headers|parameters|responses)\/(.+)$/;

/**
 * The same OpenAPI document, in which each reference to a header, a parameter or a response is replaced by it. References
 * to schemas and examples stay.
 */
export function resolveComponents<Document extends { components: object }>(document: Document): Document {
  const components = document.components as Record<string, Record<string, unknown>>;
  const resolved = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref }: { $ref?: unknown } = value;
    const [, kind = '', name = ''] = reference.exec(String($ref)) ?? [];
    const component = components[kind]?.[name];
    if (!component) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
    const known = resolved.get(String($ref)) ?? resolve(component);
    resolved.set(String($ref), known);
    return known;
  };
  return resolve(document) as Document;
}
