import { type CountOfDay, curveOf } from './curve.ts';

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A count day by day, as a curve and as a table. */
export function CurveChart({ of, counts }: { of: string; counts: CountOfDay[] }) {
  const [first, last] = [counts[0], counts.at(-1)];
  if (!first || !last || first === last) {
    return <p class="faint">Counts are recorded daily. The chart starts on the second day.</p>;
  }
  const { top, line, area } = curveOf(counts);
  const label = `${of}: ${first.count} on ${dayText(first.date)}, ${last.count} on ${dayText(last.date)}`;
  return (
    <figure class="chart">
      <div class="scale" aria-hidden="true">
        {[top, top / 2, 0].map((count) => (
          <span key={count}>{count.toLocaleString()}</span>
        ))}
      </div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
        <path class="grid" d="M0 0H100M0 50H100M0 100H100" />
        <path class="area" d={area} />
        <path class="line" d={line} />
      </svg>
      <div class="days" aria-hidden="true">
        <span>{dayText(first.date)}</span>
        <span>{dayText(last.date)}</span>
      </div>
      <details>
        <summary>Day by day</summary>
        <CountTable of={of} counts={counts.toReversed()} />
      </details>
    </figure>
  );
}

function CountTable({ of, counts }: { of: string; counts: CountOfDay[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col" class="number">
            {of}
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ date, count }) => (
          <tr key={date}>
            <th scope="row">{dayText(date)}</th>
            <td class="number">{count.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dayText(date: string): string {
  return format.format(new Date(date));
}
