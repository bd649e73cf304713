/**
 * The comparison key of a name: names that people would confuse have the same key (decision 7). The key of a key is
 * the key itself.
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
      // Composes letters again that an ignorable character separated, or that a change of case decomposed.
      .normalize('NFKC')
  );
}
