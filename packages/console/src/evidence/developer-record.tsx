import type { DeveloperRecord as Counts } from '@appregistrar/client/operator';
import { operator } from '../operator.ts';
import { DateTime } from '../parts/date-time.tsx';
import { nameOf } from '../parts/developer-name.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** The developer of an app, and what was decided about their apps before. */
export function DeveloperRecord({ userId }: { userId: string }) {
  const { data, error, reload } = useRequest((signal) => operator.developers.getRecord(userId, { signal }), [userId]);
  return (
    <section class="record" aria-labelledby="developer">
      <h2 id="developer">Developer</h2>
      <p>
        <a href={hrefOf(['developers', userId])}>
          <bdi key={data?.developer.id}>{data ? nameOf(data.developer) : '…'}</bdi>
        </a>{' '}
        <code>{userId}</code>
      </p>
      {error && <RequestError error={error} retry={reload} />}
      {data && <Record key={JSON.stringify(data)} record={data} />}
    </section>
  );
}

function Record({ record: { apps, decisions, suspensions, firstAppAt, lastDecisionAt } }: { record: Counts }) {
  return (
    <dl class="facts">
      <dt>Apps</dt>
      <dd>{counted(apps, appNames)}</dd>
      <dt>Decisions</dt>
      <dd>{counted(decisions, decisionNames)}</dd>
      <dt>Suspensions</dt>
      <dd>{suspensions === 0 ? 'None' : <span class="badge rejected">{shownCount(suspensions)}</span>}</dd>
      {firstAppAt && (
        <>
          <dt>First app</dt>
          <dd>
            <DateTime at={firstAppAt} />
          </dd>
        </>
      )}
      {lastDecisionAt && (
        <>
          <dt>Last decision</dt>
          <dd>
            <DateTime at={lastDecisionAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

const appNames: Record<keyof Counts['apps'], string> = {
  approved: 'approved',
  awaitingReview: 'awaiting review',
  draft: 'draft',
  rejected: 'rejected',
  deleted: 'deleted',
};

const decisionNames: Record<keyof Counts['decisions'], string> = {
  approved: 'approved',
  rejected: 'rejected',
  changesRejected: 'changes rejected',
  revoked: 'revoked',
};

/** "3 approved, 1 rejected": what there is none of is left out. */
function counted<Key extends string>(counts: Record<Key, number>, names: Record<Key, string>): string {
  const present = (Object.keys(names) as Key[]).filter((key) => counts[key] > 0);
  return present.map((key) => `${shownCount(counts[key])} ${names[key]}`).join(', ') || 'None';
}

/** The registry counts no further. */
function shownCount(count: number): string {
  return count < 10_000 ? count.toLocaleString() : `${count.toLocaleString()} or more`;
}
