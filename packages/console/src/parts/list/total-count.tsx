import type { Total } from '@appregistrar/client/operator';

/** Up to this many the registry counts. */
const countedMax = 10_000;

/** How many items a list has, as far as that is known. */
export function TotalCount({ page: { total, totalIsEstimate }, of }: { page: Total; of: string }) {
  if (total === undefined || total === 0) return null;
  const start = totalIsEstimate ? (total > countedMax ? 'About ' : 'More than ') : '';
  return (
    <p class="faint total">
      {start}
      {total.toLocaleString()} {of}
    </p>
  );
}
