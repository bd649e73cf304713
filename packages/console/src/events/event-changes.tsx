import type { AppRegistryEvent } from 'app-registry-client';
import { labelOf } from '../content.ts';
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

function Change({ line: { before, after } }: { line: EventLine }) {
  const [was, is] = [before ?? undefined, after ?? undefined];
  return (
    <>
      {was !== undefined && (
        <>
          <span class="visually-hidden">before: </span>
          <del dir="auto">{was}</del>{' '}
        </>
      )}
      {is !== undefined && (
        <>
          {was !== undefined && <span class="visually-hidden">after: </span>}
          <ins dir="auto">{is}</ins>
        </>
      )}
      {is === undefined && was !== undefined && after === null && <span class="faint">removed</span>}
      {is === undefined && was === undefined && <span class="faint">empty</span>}
    </>
  );
}
