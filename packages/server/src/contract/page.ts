import Type from 'typebox';

/** A cursor can hold the key that a name is compared by: of 100 characters up to 3,300 bytes, 4,400 in base64. */
const cursorLengthMax = 5_000;
const Cursor = Type.String({
  minLength: 1,
  maxLength: cursorLengthMax,
  description: 'Opaque: taken from an answer as it is.',
});

/** How many objects a list answers at a time (decision 33). */
export const pageLimits = { default: 20, max: 100 };

/** Interface 2.9: every list answers a shape that extends this. */
const Page = Type.Object(
  {
    nextCursor: Type.Optional(Cursor),
    prevCursor: Type.Optional(Cursor),
  },
  { $id: 'Page', description: 'Where a list goes on: a cursor that is absent leads nowhere.' },
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

/** What asks for one page of a list, beside what the list is filtered by. */
export const pageParameters = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimits.max })),
};
export type PageParameters = { cursor?: string | undefined; limit?: number | undefined };
