/** An id as a segment of a path. Throws a `TypeError` if it is empty or consists of dots: that would be another path. */
export function encodeId(id: unknown): string {
  if ((typeof id !== 'string' && typeof id !== 'number') || /^\.*$/.test(`${id}`)) {
    throw new TypeError('An id is missing or empty. Check where it is read from.');
  }
  return encodeURIComponent(id);
}
