import type { Total } from '@appregistrar/client/operator';

/** Up to this many the registry counts. */
const countedMax = 10_000;

/** How many items a list has, as far as that is known. They are named in the plural, which ends in s. */
export function TotalCount({ page: { total, estimatedTotal }, of }: { page: Total; of: string }) {
  const count = total ?? estimatedTotal ?? 0;
  if (count === 0) return null;
  const start = total !== undefined ? '' : count > countedMax ? 'About ' : 'More than ';
  return (
    <p class="faint total">
      {start}
      {count.toLocaleString()} {count === 1 ? of.slice(0, -1) : of}
    </p>
  );
}
