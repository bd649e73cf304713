import type { ContentRow } from '../../content.ts';

interface ContentTableProps {
  rows: ContentRow[];
  /** The name of the column with what is now. */
  now: string;
  /** The name of the column with what was earlier; without it, there is none. */
  earlier?: string;
}

/** The content of an app, field by field. */
export function ContentTable({ rows, now: nowName, earlier: earlierName }: ContentTableProps) {
  return (
    <table class="content">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Field</span>
          </th>
          {earlierName && <th scope="col">{earlierName}</th>}
          <th scope="col">{nowName}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, now, earlier, hasChanged }) => (
          <tr key={label} class={hasChanged ? 'changed' : undefined}>
            <th scope="row">{label}</th>
            {earlierName && (
              <td data-label={earlierName}>
                <Value text={earlier} />
              </td>
            )}
            <td data-label={earlierName && nowName}>
              <Value text={now} /> {hasChanged && <span class="badge changed">Changed</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined) return <span class="faint">None</span>;
  return (
    <span class="value" dir="auto">
      {text}
    </span>
  );
}
