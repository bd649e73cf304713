/** Leads to the pages before and after, where there are any. */
export function Pager({
  page,
  addressAt,
  of,
  previous = 'Previous',
  next = 'Next',
}: {
  page: { prevCursor?: string; nextCursor?: string };
  addressAt: (cursor: string) => string;
  of: string;
  /** What they are called, where that can be said better. */
  previous?: string;
  next?: string;
}) {
  const { prevCursor, nextCursor } = page;
  if (prevCursor === undefined && nextCursor === undefined) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      {prevCursor !== undefined && <a href={addressAt(prevCursor)}>{previous}</a>}
      {nextCursor !== undefined && <a href={addressAt(nextCursor)}>{next}</a>}
    </nav>
  );
}
