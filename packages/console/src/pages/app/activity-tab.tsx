import type { AppRegistryEvent } from '@appregistrar/client';
import type { EventQuery } from '@appregistrar/client/operator';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type EventKind, eventKinds } from '../../events/event-kinds.ts';
import { EventList } from '../../events/event-list.tsx';
import { ofApp } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import type { AppTabProps } from './app-tab-props.ts';
import { RevertEvent } from './revert-event.tsx';
import { Revisions } from './revisions.tsx';

const shownNames = {
  content: eventKinds.content.name,
  review: eventKinds.review.name,
  installations: eventKinds.installations.name,
  all: 'Everything',
};
type Shown = keyof typeof shownNames;

/** What has happened to the app, each change with the means to undo it: changes of its content at first. */
export function ActivityTab({ app, query, reload }: AppTabProps) {
  const path = ['apps', app.id, 'activity'];
  const cursors = { changes: query.get('changes') ?? undefined, revisions: query.get('revisions') ?? undefined };
  const shown = readShown(query.get('show'));
  // Content is what the tab shows at first.
  const show = shown === 'content' ? undefined : shown;
  return (
    <>
      <section aria-labelledby="changes">
        <h2 id="changes">Timeline</h2>
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
          app={app}
          onChange={reload}
          isUndoing={query.has('undo')}
          hrefAt={(at) => hrefOf(path, { ...cursors, show, changes: at })}
        />
      </section>
      <EarlierRevisions isOpenFirst={cursors.revisions !== undefined}>
        <Revisions
          app={app}
          cursor={cursors.revisions}
          hrefAt={(at) => hrefOf(path, { ...cursors, show, revisions: at })}
          onChange={reload}
        />
      </EarlierRevisions>
    </>
  );
}

/** Focuses the button that undoes the newest change. Returns whether there is one. */
export function focusNewestRevert(): boolean {
  const button = document.querySelector<HTMLElement>('.timeline .revert button');
  button?.focus();
  return button !== null;
}

/** Also those that no event of the timeline names, and those that an import brought. Loaded when it is opened. */
function EarlierRevisions({ isOpenFirst, children }: { isOpenFirst: boolean; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details class="rest" open={isOpenFirst} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Compare or restore a revision</summary>
      {isOpen && children}
    </details>
  );
}

function readShown(text: string | null): Shown {
  return text !== null && text in shownNames ? (text as Shown) : 'content';
}

function typesOf(shown: Shown): Pick<EventQuery, 'type'> {
  return shown === 'all' ? {} : { type: eventKinds[shown satisfies EventKind].types };
}

interface ChangesProps {
  app: AppTabProps['app'];
  query: EventQuery;
  /** Whether the button that undoes the newest change gets the focus. */
  isUndoing: boolean;
  onChange: () => void;
  hrefAt: (cursor: string) => string;
}

function Changes({ app, query, isUndoing, onChange, hrefAt }: ChangesProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.events.list({ ...query, sort: '-id', actors: true }, { signal }).page(),
    [query.appId, query.type?.join(), query.cursor, app.etag],
    { follows: ofApp(query.appId) },
  );
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (isLoaded && isUndoing) focusNewestRevert();
  }, [isLoaded, isUndoing]);
  const actionOf = (event: AppRegistryEvent) => <RevertEvent app={app} event={event} onChange={onChange} />;
  return (
    <>
      {error && <RequestError error={error} retry={reload} />}
      <div class="timeline" aria-busy={isPending}>
        {data && <EventList page={data} hrefAt={hrefAt} isOfPage actionOf={actionOf} />}
      </div>
    </>
  );
}
