import Type from 'typebox';

/** A cursor can contain the comparison key of a name: up to 3,300 bytes for 100 characters, 4,400 in base64. */
const cursorLengthMax = 5_000;
export const Cursor = Type.String({
  minLength: 1,
  maxLength: cursorLengthMax,
  description: 'An opaque cursor, copied unchanged from an earlier page.',
});

/** The number of objects on a page (decision 33). */
export const pageLimits = { default: 20, max: 100 };

/** Interface 2.9: the response of every list extends this. */
const Page = Type.Object(
  {
    nextCursor: Type.Optional(Cursor),
    prevCursor: Type.Optional(Cursor),
  },
  { $id: 'Page', description: 'The cursors of the next and previous pages, absent where there is none.' },
);
type Page = Type.Static<typeof Page>;

/** One page of a list of such items. */
export type PageOf<Item> = Page & { items: Item[] };

/** The same, as a schema. */
export function pageOf<Item extends Type.TSchema>(item: Item, name: string) {
  return Type.Object(
    { items: Type.Array(item), ...Page.properties },
    { $id: `${name}Page`, description: 'One page of a list.' },
  );
}

/** The query parameters of every list, beside its filters. */
export const pageParameters = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimits.max })),
};
export type PageParameters = { cursor?: string | undefined; limit?: number | undefined };

/** The query parameter of a list that can have chosen objects only. */
export const idsParameter = {
  ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 5_000,
      description: `Up to ${pageLimits.max} ids separated by commas. Unknown ids are ignored. Can be combined only with \`cursor\`, \`limit\` and \`withTotal\`.`,
    }),
  ),
};

/** The orders by these names, in both directions. */
export function sortsOf<Name extends string>(names: readonly Name[]): (Name | `-${Name}`)[] {
  return names.flatMap((name) => [name, `-${name}` as const]);
}

/** The query parameter of a list that can be sorted. */
export function sortParameter<Name extends string>(names: readonly Name[]) {
  return {
    sort: Type.Optional(
      Type.Unsafe<Name | `-${Name}`>({
        type: 'string',
        enum: sortsOf(names),
        description: 'The sort order. A leading minus sign reverses it.',
      }),
    ),
  };
}

/** Up to this many the total of a list is counted; beyond, it is an estimate. */
export const totalMax = 10_000;

/** The query parameter of a list that can say how many items it has. */
export const totalParameter = {
  withTotal: Type.Optional(Type.Boolean({ description: 'Whether the response includes the total number of items.' })),
};

/** One page of a list, and how many items that has. */
export function totalPageOf<Item extends Type.TSchema>(item: Item, name: string) {
  return Type.Object(
    { ...pageOf(item, name).properties, ...totalFields },
    { $id: `${name}Page`, description: 'One page of a list, with `total` if `withTotal` is true.' },
  );
}
export type TotalPageOf<Item> = PageOf<Item> & Partial<Total>;

/** What its pages then have. */
export const totalFields = {
  total: Type.Optional(Type.Integer({ minimum: 0, description: 'The total number of items, if `withTotal` is true.' })),
  totalIsEstimate: Type.Optional(
    Type.Boolean({
      description:
        'Whether the total is an estimate, which it is above 10,000 items. With a filter, the estimate may be 10,000, which means at least that many.',
    }),
  ),
};
export type Total = { total: number; totalIsEstimate: boolean };

/** The columns that order a list, of which the last makes it unambiguous. */
interface Sorting<Column extends string> {
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
