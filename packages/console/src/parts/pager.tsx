/** How many items a page of a list has. */
export const pageSize = 50;

/** Links to the previous and next page, where they exist. */
export function Pager({
  page,
  hrefAt,
  of,
  previous = 'Previous',
  next = 'Next',
}: {
  page: { prevCursor?: string; nextCursor?: string };
  hrefAt: (cursor: string) => string;
  of: string;
  /** The labels of the links. */
  previous?: string;
  next?: string;
}) {
  const { prevCursor, nextCursor } = page;
  if (prevCursor === undefined && nextCursor === undefined) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      {prevCursor !== undefined && <a href={hrefAt(prevCursor)}>{previous}</a>}
      {nextCursor !== undefined && <a href={hrefAt(nextCursor)}>{next}</a>}
    </nav>
  );
}
