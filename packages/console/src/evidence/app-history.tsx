import type { AppRegistryEvent } from '@appregistrar/client';
import type { OperatorApp } from '@appregistrar/client/operator';
import { appContentFields, contentValue } from '../../../server/src/features/apps/app-content.ts';
import { Actor, namesOf } from '../events/actor.tsx';
import { eventKinds } from '../events/event-kinds.ts';
import { ofApp } from '../live/changes.ts';
import { operator } from '../operator.ts';
import { Age } from '../parts/date-time.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

const eventsMax = 6;

/** What has happened to an app, newest first: submissions, decisions with their reasons, and edits. */
export function AppHistory({ app }: { app: OperatorApp }) {
  const { data, error, reload } = useRequest(
    (signal) =>
      operator.events
        .list({ appId: app.id, type: types, sort: '-id', actors: true, limit: eventsMax }, { signal })
        .page(),
    [app.id],
    { follows: ofApp(app.id) },
  );
  const names = data && namesOf(data);
  return (
    <section class="app-history" aria-labelledby="history">
      <h2 id="history">History</h2>
      {error && <RequestError error={error} retry={reload} />}
      <ol translate={false}>
        {data?.items.map((event) => (
          <Entry key={event.id} event={event} actorName={names?.get(event.actor)} />
        ))}
      </ol>
      {data?.nextCursor && <a href={hrefOf(['apps', app.id, 'activity'], { show: 'all' })}>All activity</a>}
    </section>
  );
}

const types = [...eventKinds.content.types, ...eventKinds.review.types];

function Entry({ event, actorName }: { event: AppRegistryEvent; actorName: string | undefined }) {
  const { type, actor, timestamp } = event;
  const changed = type === 'app.updated' ? changedFields(event) : '';
  const { words, tone } = entries[type === 'app.updated' && changed === '' ? 'switched' : type] ?? {
    words: type,
    tone: '',
  };
  const reason = reasonOf(event);
  return (
    <li class={tone}>
      <p>
        {words} by <Actor actor={actor} name={actorName} /> <Age at={timestamp} />
      </p>
      {changed !== '' && <p class="faint">{changed}</p>}
      {reason !== undefined && (
        <p class="quoted" dir="auto">
          {reason}
        </p>
      )}
    </li>
  );
}

const entries: Record<string, { words: string; tone: string }> = {
  // An update of no field: the setting was changed, and not the app.
  switched: { words: 'Content for customers switched', tone: '' },
  'app.created': { words: 'Created', tone: '' },
  'app.updated': { words: 'Edited', tone: '' },
  'app.transferred': { words: 'Transferred', tone: '' },
  'app.submitted': { words: 'Submitted', tone: '' },
  'app.withdrawn': { words: 'Withdrawn', tone: '' },
  'app.approved': { words: 'Approved', tone: 'good' },
  'app.change_approved': { words: 'Change approved', tone: 'good' },
  'app.rejected': { words: 'Rejected', tone: 'bad' },
  'app.change_rejected': { words: 'Change rejected', tone: 'bad' },
  'app.revoked': { words: 'Revoked', tone: 'bad' },
};

/** "Long description, Callback URL" */
function changedFields({ data }: AppRegistryEvent): string {
  const { after = {} } = data as { after?: Parameters<typeof contentValue>[0] };
  const changed = appContentFields.filter((field) => contentValue(after, field) !== undefined);
  return changed.map(({ label }) => label).join(', ');
}

function reasonOf({ data, reason }: AppRegistryEvent): string | undefined {
  const { message = reason } = data as { message?: string };
  return message;
}
