import { type Event, listEvents, type OperatorApp } from '../../api/operations.ts';
import { labelOf } from '../../content.ts';
import { Moment } from '../../parts/moment.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useRequest } from '../../use-request.ts';
import { eventLines } from './event-lines.ts';

interface TrailProps {
  app: OperatorApp;
  cursor: string | undefined;
  addressAt: (cursor: string) => string;
}

/** What has happened to an app, the latest first: who, when, and what it was before and after. */
export function Trail({ app, cursor, addressAt }: TrailProps) {
  const { answer, refusal, isAsking, askAgain } = useRequest(
    (signal) => listEvents({ appId: app.id, cursor }, signal),
    [app, cursor],
  );
  return (
    <section aria-labelledby="trail">
      <h2 id="trail">Changes</h2>
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        <ol class="trail">
          {answer?.items.map((event) => (
            <TrailEvent key={event.id} event={event} />
          ))}
        </ol>
        {answer && <Pager page={answer} addressAt={addressAt} of="the changes" previous="Newer" next="Older" />}
      </div>
    </section>
  );
}

function TrailEvent({ event }: { event: Event }) {
  const lines = eventLines(event);
  return (
    <li>
      <p>
        <strong>{titleOf(event)}</strong> <Moment at={event.timestamp} />{' '}
        <span class="faint">
          by <bdi>{event.actor}</bdi>
        </span>
      </p>
      {lines.length > 0 && (
        <dl class="facts">
          {lines.map(({ member, before, after }) => (
            <div key={member}>
              <dt>{labelOf(member)}</dt>
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

/** Also of a type that this console does not know: `app.created` reads "App created". */
function titleOf({ type }: Event): string {
  const words = type.replaceAll('.', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
