import type { AppRegistryEvent } from '@appregistrar/client';
import type { ComponentChildren } from 'preact';
import { CopyableId } from '../parts/copy-button.tsx';
import { DateTime } from '../parts/date-time.tsx';
import { hrefOf } from '../route.ts';
import { Actor } from './actor.tsx';
import { EventChanges } from './event-changes.tsx';
import { EventObjects } from './event-objects.tsx';
import { eventTitle } from './event-title.ts';

interface EventEntryProps {
  event: AppRegistryEvent;
  actorName: string | undefined;
  /** Whether the page is that of the app: it shows the changes at once, and no link to itself. */
  isOfPage?: boolean;
  /** What can be done about the change. */
  action?: ComponentChildren;
}

/** One change: what, when and by whom, with the values before and after. */
export function EventEntry({ event, actorName, isOfPage = false, action }: EventEntryProps) {
  const title = eventTitle(event.type);
  return (
    <li>
      <p class="event-head">
        <strong>{title}</strong> <EventObjects event={event} isOfPage={isOfPage} /> <DateTime at={event.timestamp} />
        <span class="faint">
          by <Actor actor={event.actor} name={actorName} />
        </span>
      </p>
      {isOfPage ? (
        <>
          <Reason event={event} />
          <EventChanges event={event} />
        </>
      ) : (
        <details>
          <summary>
            Before and after<span class="visually-hidden"> of {title}</span>
          </summary>
          <Reason event={event} />
          <EventChanges event={event} />
          <Origin event={event} />
        </details>
      )}
      {action}
    </li>
  );
}

function Reason({ event: { reason } }: { event: AppRegistryEvent }) {
  if (reason === undefined) return null;
  return (
    <p class="value" dir="auto">
      {reason}
    </p>
  );
}

/** How to find the change again, and what else its request has changed. */
function Origin({ event: { id, subjectId, requestId } }: { event: AppRegistryEvent }) {
  return (
    <dl class="facts">
      <dt>Event</dt>
      <dd>
        <CopyableId id={id} />
      </dd>
      <dt>Changed object</dt>
      <dd>
        <CopyableId id={subjectId} />
      </dd>
      {requestId !== undefined && (
        <>
          <dt>Request</dt>
          <dd>
            <a href={hrefOf(['events'], { requestId })}>{requestId}</a>
          </dd>
        </>
      )}
    </dl>
  );
}
