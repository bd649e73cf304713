/**
 * What names are compared by, so that two apps cannot be taken for each other (decision 7). The key
 * of a key is the key itself.
 */
export function nameKey(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Upper case, so that ß meets SS; lower case before it, so that the capital ẞ does too.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // Letters that an ignorable held apart, or that changing the case took apart, meet again.
      .normalize('NFKC')
  );
}
