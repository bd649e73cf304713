import { addressOf } from '../../route.ts';

export interface Share {
  name: string;
  count: number;
  /** The page that lists them. */
  path: string[];
  query: Record<string, string>;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Parts of a whole, as a table with a bar in each row. */
export function Shares({ of, shares }: { of: string; shares: Share[] }) {
  const whole = shares.reduce((sum, { count }) => sum + count, 0) || 1;
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
              <a href={addressOf(path, query)}>{name}</a>
            </th>
            <td class="number">{count.toLocaleString()}</td>
            <td>
              <svg class="share" role="img" aria-label={percent.format(count / whole)}>
                <rect class="whole" width="100%" height="100%" />
                <rect class="part" width={`${(count / whole) * 100}%`} height="100%" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
