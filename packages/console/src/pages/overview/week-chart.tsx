/** A count of each week, of those that a bar is made of. */
export interface Series {
  name: string;
  /** The class of its part of each bar. */
  tone: 'first' | 'second' | 'third' | 'fourth';
  values: number[];
}

interface WeekChartProps {
  /** What the bars show, for those who do not see them. */
  of: string;
  /** The first day of each week, such as `2026-03-02`. */
  mondays: string[];
  series: Series[];
  /** A value as text; the number itself by default. */
  textOf?: (value: number) => string;
}

const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** Of the square in which a week has ten. */
const widthOfWeek = 10;
const gap = 2;

/** A stacked bar for each week, and the same as a table. Hovering over a bar shows its values. */
export function WeekChart({ of, mondays, series, textOf = (value) => value.toLocaleString() }: WeekChartProps) {
  const totals = mondays.map((_, week) => series.reduce((sum, { values }) => sum + (values[week] ?? 0), 0));
  const top = Math.max(...totals);
  if (top === 0) return <p class="faint">None in these weeks.</p>;
  return (
    <figure class="chart weeks">
      <div class="scale" aria-hidden="true">
        <span>{textOf(top)}</span>
        <span>{textOf(0)}</span>
      </div>
      <svg
        viewBox={`0 0 ${mondays.length * widthOfWeek} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${of} by week, at most ${textOf(top)}`}
      >
        <path class="grid" d={`M0 0H${mondays.length * widthOfWeek}M0 100H${mondays.length * widthOfWeek}`} />
        {mondays.map((monday, week) => (
          <g key={monday} class="week">
            <title>{`Week of ${dayText(monday)}: ${describe(series, week, textOf)}`}</title>
            <rect class="target" x={week * widthOfWeek} y="0" width={widthOfWeek} height="100" />
            {partsOf(series, week).map(({ tone, from, value }) => (
              <rect
                key={tone}
                class={tone}
                x={week * widthOfWeek + gap / 2}
                y={100 - ((from + value) / top) * 100}
                width={widthOfWeek - gap}
                height={(value / top) * 100}
              />
            ))}
          </g>
        ))}
      </svg>
      <div class="days" aria-hidden="true">
        <span>{dayText(mondays[0] ?? '')}</span>
        <span>This week</span>
      </div>
      {series.length > 1 && (
        <ul class="legend" aria-hidden="true">
          {series.map(({ name, tone }) => (
            <li key={tone}>
              <svg class={`swatch ${tone}`} aria-hidden="true">
                <rect width="100%" height="100%" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>Week by week</summary>
        <WeekTable mondays={mondays} series={series} textOf={textOf} />
      </details>
    </figure>
  );
}

function WeekTable({ mondays, series, textOf }: Required<Omit<WeekChartProps, 'of'>>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Week of</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {mondays
          .map((monday, week) => (
            <tr key={monday}>
              <th scope="row">{dayText(monday)}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="number">
                  {textOf(values[week] ?? 0)}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  );
}

/** The parts of a bar, from the bottom to the top. */
function partsOf(series: Series[], week: number) {
  let from = 0;
  return series.map(({ tone, values }) => {
    const value = values[week] ?? 0;
    from += value;
    return { tone, from: from - value, value };
  });
}

function describe(series: Series[], week: number, textOf: (value: number) => string): string {
  return series.map(({ name, values }) => `${textOf(values[week] ?? 0)} ${name.toLowerCase()}`).join(', ');
}

function dayText(monday: string): string {
  return format.format(new Date(monday));
}
