import type { PageOfRows, PageRequest } from '../../storage/page.ts';
import type { Connection } from '../../storage/query.ts';
import { type InstallationFilter, listInstallationPage } from './installation-queries.ts';

/** What one page reads at most, so that no request works for long. */
export const searchedMax = 10_000;
const batchMax = 1_000;

interface Search {
  filter: InstallationFilter;
  enabled: boolean;
  request: PageRequest;
}

type Rows = Awaited<ReturnType<typeof listInstallationPage>>;

/**
 * A page of either the enabled or the disabled installations of a filter. It ends when it is full or has read as much
 * as a page may; then `next` continues after the last one that was read.
 */
export async function searchInstallations(
  reader: Connection,
  { filter, enabled, request: { limit, position } }: Search,
): Promise<Rows> {
  const rows: Rows['rows'] = [];
  let from = position;
  for (let read = 0; ; ) {
    const request = { limit: batchMax, ...(from && { position: from }) };
    const batch = await listInstallationPage(reader, filter, request);
    const matches = batch.rows.filter((row) => (row.enabled === 1) === enabled);
    const lastThatFits = matches[limit - rows.length - 1];
    rows.push(...matches.slice(0, limit - rows.length));
    if (lastThatFits) return { rows, ...(await nextAfter(reader, { filter, request, batch, last: lastThatFits })) };
    read += batch.rows.length;
    if (!batch.next || read >= searchedMax) return { rows, ...(batch.next && { next: batch.next }) };
    from = batch.next;
  }
}

/** Where to continue after a row of a batch: the end of a batch that ends there. */
async function nextAfter(
  reader: Connection,
  {
    filter,
    request,
    batch,
    last,
  }: { filter: InstallationFilter; request: PageRequest; batch: Rows; last: Rows['rows'][0] },
): Promise<Pick<PageOfRows<unknown>, 'next'>> {
  const limit = batch.rows.indexOf(last) + 1;
  const { next } =
    limit === batch.rows.length ? batch : await listInstallationPage(reader, filter, { ...request, limit });
  return next ? { next } : {};
}
