/** The columns that order a list, of which the last makes it unambiguous. */
export interface Sorting<Column extends string> {
  order: readonly Column[];
  descending: boolean;
}

/** The order that a `sort` names: that of its columns, or from last to first with a minus sign. */
export function sortingOf<Name extends string, Column extends string>(
  sort: Name | `-${Name}`,
  orders: Record<Name, readonly Column[]>,
): Sorting<Column> {
  const descending = sort.startsWith('-');
  return { order: orders[(descending ? sort.slice(1) : sort) as Name], descending };
}
