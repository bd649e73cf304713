import type { EventQuery } from '@appregistrar/client/operator';
import { type EventKind, eventKinds } from '../../events/event-kinds.ts';
import { EventList } from '../../events/event-list.tsx';
import { ofApp } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import type { AppTabProps } from './app-tab-props.ts';
import { Revisions } from './revisions.tsx';

const shownNames = {
  content: eventKinds.content.name,
  review: eventKinds.review.name,
  installations: eventKinds.installations.name,
  all: 'Everything',
};
type Shown = keyof typeof shownNames;

/** What has happened to the app: changes of its content at first, and its revisions. */
export function ActivityTab({ app, query, reload }: AppTabProps) {
  const path = ['apps', app.id, 'activity'];
  const cursors = { changes: query.get('changes') ?? undefined, revisions: query.get('revisions') ?? undefined };
  const shown = readShown(query.get('show'));
  // Content is what the tab shows at first.
  const show = shown === 'content' ? undefined : shown;
  return (
    <>
      <section aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <nav class="choices shown" aria-label="Shown changes">
          {Object.entries(shownNames).map(([kind, name]) => (
            <a
              key={kind}
              href={hrefOf(path, { show: kind === 'content' ? undefined : kind, revisions: cursors.revisions })}
              aria-current={kind === shown ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <Changes
          query={{ appId: app.id, ...typesOf(shown), cursor: cursors.changes }}
          revision={app.etag}
          hrefAt={(at) => hrefOf(path, { ...cursors, show, changes: at })}
        />
      </section>
      <Revisions
        app={app}
        cursor={cursors.revisions}
        hrefAt={(at) => hrefOf(path, { ...cursors, show, revisions: at })}
        onChange={reload}
      />
    </>
  );
}

function readShown(text: string | null): Shown {
  return text !== null && text in shownNames ? (text as Shown) : 'content';
}

function typesOf(shown: Shown): Pick<EventQuery, 'type'> {
  return shown === 'all' ? {} : { type: eventKinds[shown satisfies EventKind].types };
}

interface ChangesProps {
  query: EventQuery;
  /** Changes when the content does. */
  revision: string;
  hrefAt: (cursor: string) => string;
}

function Changes({ query, revision, hrefAt }: ChangesProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.events.list({ ...query, sort: '-id', actors: true }, { signal }).page(),
    [query.appId, query.type?.join(), query.cursor, revision],
    { follows: ofApp(query.appId) },
  );
  return (
    <>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>{data && <EventList page={data} hrefAt={hrefAt} isOfPage />}</div>
    </>
  );
}
