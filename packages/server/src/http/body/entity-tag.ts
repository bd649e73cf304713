const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

export interface EntityTag {
  tag: string;
  isWeak: boolean;
}

/** Whether an If-Match has this tag, as a strong one, or is `*` (RFC 9110, 13.1.1). */
export function matchesStrongly(field: string, tag: string): boolean {
  return listedTags(field)?.some((listed) => !listed.isWeak && listed.tag === tag) ?? true;
}

/** Whether an If-None-Match has this tag, strong or weak, or is `*` (RFC 9110, 13.1.2). */
export function matchesWeakly(field: string, tag: string): boolean {
  if (field === `"${tag}"`) return true;
  return listedTags(field)?.some((listed) => listed.tag === tag) ?? true;
}

/** The tags in an If-Match or If-None-Match; null for `*`. A malformed list has none. */
export function listedTags(field: string): EntityTag[] | null {
  if (field.trim() === '*') return null;
  const isList = /^[\s,]*$/.test(field.replaceAll(entityTag, ''));
  return isList
    ? [...field.matchAll(entityTag)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }))
    : [];
}
