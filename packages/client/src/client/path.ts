/** A path with ids. Throws a `TypeError` if one of them is empty or consists of dots: that would be another path. */
export function pathOf(texts: TemplateStringsArray, ...ids: (string | number)[]): string {
  return String.raw({ raw: texts }, ...ids.map(encodeId));
}

/** An id as a segment of a path. */
export function encodeId(id: unknown): string {
  if ((typeof id !== 'string' && typeof id !== 'number') || /^\.*$/.test(`${id}`)) {
    throw new TypeError('An id of the request is missing or empty. Give one such as app_ and 26 characters.');
  }
  return encodeURIComponent(id);
}
