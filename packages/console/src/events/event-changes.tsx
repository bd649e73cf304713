import type { AppRegistryEvent } from '@appregistrar/client';
import { labelOf } from '../content.ts';
import { DateTime } from '../parts/date-time.tsx';
import { DeveloperLink } from '../parts/developer-name.tsx';
import { type EventLine, eventLines } from './event-lines.ts';

/** What an event changed, before and after. */
export function EventChanges({ event }: { event: AppRegistryEvent }) {
  const lines = eventLines(event);
  if (lines.length === 0) return null;
  return (
    <dl class="facts">
      {lines.map((line) => (
        <div key={line.field}>
          <dt>{labelOf(line.field)}</dt>
          <dd>
            <Change line={line} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ line: { field, before, after } }: { line: EventLine }) {
  const [was, is] = [before ?? undefined, after ?? undefined];
  return (
    <>
      {was !== undefined && (
        <>
          <span class="visually-hidden">before: </span>
          <del dir="auto">
            <Value text={was} field={field} />
          </del>{' '}
        </>
      )}
      {is !== undefined && (
        <>
          {was !== undefined && <span class="visually-hidden">after: </span>}
          <ins dir="auto">
            <Value text={is} field={field} />
          </ins>
        </>
      )}
      {is === undefined && was !== undefined && after === null && <span class="faint">removed</span>}
      {is === undefined && was === undefined && <span class="faint">empty</span>}
    </>
  );
}

const listsFields = new Set(['changedSinceApproval', 'effective']);

/** Shows a time as elsewhere, a developer by name, and fields by their labels. */
function Value({ text, field }: { text: string; field: string }) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <DateTime at={text} />;
  if (field === 'developerId') return <DeveloperLink userId={text} />;
  return <>{listsFields.has(field) ? text.split(', ').map(labelOf).join(', ') : text}</>;
}
