const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The opaque parts of the strong tags in an If-Match (RFC 9110, 13.1.1); null if it is `*`. */
export function strongTags(field: string): string[] | null {
  if (field.trim() === '*') return null;
  return [...field.matchAll(entityTag)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]));
}

/** Whether an If-None-Match matches this tag (RFC 9110, 13.1.2: weak comparison). */
export function matchesWeakly(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  if (field === `"${tag}"`) return true;
  if (field.trim() === '*') return true;
  return [...field.matchAll(entityTag)].some(([, , candidate]) => candidate === tag);
}
