import type { Decision, OperatorApp } from '@appregistrar/client/operator';
import { labelOf } from '../../content.ts';
import { Actor, namesOf } from '../../events/actor.tsx';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

const outcomes: Record<string, { name: string; badge: string }> = {
  approve: { name: 'Approved', badge: 'approved' },
  reject: { name: 'Rejected', badge: 'rejected' },
  'reject-change': { name: 'Change rejected', badge: 'rejected' },
  revoke: { name: 'Revoked', badge: 'rejected' },
};

/** The decisions about an app, newest first. */
export function Decisions({ app, query }: { app: OperatorApp; query: URLSearchParams }) {
  const cursor = query.get('decisions') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.apps.listDecisions(app.id, { cursor, actors: true }, { signal }).page(),
    [app, cursor],
  );
  const names = data && namesOf(data);
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <p class="empty">No decisions yet.</p>}
        <ol class="history">
          {data?.items.map((decision) => (
            <DecisionEntry key={decision.id} decision={decision} actorName={names?.get(decision.actor)} />
          ))}
        </ol>
        {data && (
          <Pager
            page={data}
            hrefAt={(at) => hrefOf(['apps', app.id, 'review'], { decisions: at })}
            of="the decisions"
            previous="Newer"
            next="Older"
          />
        )}
      </div>
    </section>
  );
}

function DecisionEntry({ decision, actorName }: { decision: Decision; actorName: string | undefined }) {
  const { step, revision, decidedAt, actor, code, message, fields = [], note } = decision;
  const { name, badge } = outcomes[step] ?? { name: step, badge: '' };
  return (
    <li>
      <p>
        <span class={`badge ${badge}`}>{name}</span> revision {revision} <DateTime at={decidedAt} /> by{' '}
        <Actor actor={actor} name={actorName} />
        {code && (
          <>
            {' '}
            <code>{code}</code>
          </>
        )}
      </p>
      {message && (
        <p class="value" dir="auto">
          {message}
        </p>
      )}
      {fields.length > 0 && (
        <ul>
          {fields.map((field) => (
            <li key={field.pointer}>
              {labelOf(field.pointer.slice(1).replaceAll('/', '.'))}: <bdi>{field.message}</bdi>
            </li>
          ))}
        </ul>
      )}
      {note && (
        <p>
          <span class="faint">For reviewers:</span> <bdi>{note}</bdi>
        </p>
      )}
    </li>
  );
}
