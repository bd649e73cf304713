import type { AppRegistryEvent } from 'app-registry-client';
import type { OperatorApp } from 'app-registry-client/operator';
import { labelOf } from '../../content.ts';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useRequest } from '../../use-request.ts';
import { eventLines } from './event-lines.ts';

interface ChangeHistoryProps {
  app: OperatorApp;
  cursor: string | undefined;
  hrefAt: (cursor: string) => string;
}

/** The events of an app, newest first: who, when, before and after. */
export function ChangeHistory({ app, cursor, hrefAt }: ChangeHistoryProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.events.list({ appId: app.id, cursor, newestFirst: true }, { signal }).page(),
    [app, cursor],
  );
  return (
    <section aria-labelledby="history">
      <h2 id="history">Changes</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        <ol class="history">
          {data?.items.map((event) => (
            <Change key={event.id} event={event} />
          ))}
        </ol>
        {data && <Pager page={data} hrefAt={hrefAt} of="the changes" previous="Newer" next="Older" />}
      </div>
    </section>
  );
}

function Change({ event }: { event: AppRegistryEvent }) {
  const lines = eventLines(event);
  return (
    <li>
      <p>
        <strong>{titleOf(event)}</strong> <DateTime at={event.timestamp} />{' '}
        <span class="faint">
          by <bdi>{event.actor}</bdi>
        </span>
      </p>
      {lines.length > 0 && (
        <dl class="facts">
          {lines.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{labelOf(field)}</dt>
              <dd>
                {before !== undefined && <del dir="auto">{before}</del>}{' '}
                {after === undefined ? <span class="faint">removed</span> : <ins dir="auto">{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** "App created" for `app.created`. Works for unknown types too. */
function titleOf({ type }: AppRegistryEvent): string {
  const words = type.replaceAll('.', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
