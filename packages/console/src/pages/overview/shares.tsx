import { hrefOf } from '../../route.ts';

export interface Share {
  name: string;
  count: number;
  /** The page that lists them. */
  path: string[];
  query: Record<string, string>;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** The share of each part in the total, as a table with bars. */
export function Shares({ of, shares }: { of: string; shares: Share[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0) || 1;
  return (
    <table class="shares">
      <thead>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col" class="number">
            Apps
          </th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ name, count, path, query }) => (
          <tr key={name}>
            <th scope="row">
              <a href={hrefOf(path, query)}>{name}</a>
            </th>
            <td class="number">{count.toLocaleString()}</td>
            <td>
              <svg class="share" role="img" aria-label={percent.format(count / total)}>
                <rect class="total" width="100%" height="100%" />
                <rect class="part" width={`${(count / total) * 100}%`} height="100%" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
