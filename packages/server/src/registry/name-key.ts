/** What names are compared by, so that two apps cannot be taken for each other (decision 7). */
export function nameKey(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Upper case first, so that ß meets SS.
      .toUpperCase()
      .toLowerCase()
  );
}
