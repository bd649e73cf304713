import type { Overview } from 'app-registry-client/operator';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { GettingStarted } from '../../parts/getting-started.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { statusNames } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { CurveChart } from './curve-chart.tsx';
import { Shares } from './shares.tsx';

const statuses = [
  ['DRAFT', 'draft'],
  ['AWAITING_REVIEW', 'awaitingReview'],
  ['APPROVED', 'approved'],
  ['REJECTED', 'rejected'],
] as const;

/** The size of the registry today and over time. */
export function OverviewPage() {
  const { data, error, isPending, reload } = useRequest((signal) => operator.overview({ signal }), []);
  return (
    <Page title="Overview">
      {error && <RequestError error={error} retry={reload} />}
      {!data && isPending && <p class="loading">Counting…</p>}
      <div aria-busy={isPending}>{data && <Summary overview={data} />}</div>
    </Page>
  );
}

function Summary({ overview }: { overview: Overview }) {
  const { apps, installations, days, countedAt } = overview;
  const total = Object.values(apps).reduce((sum, count) => sum + count, 0);
  if (total === 0) return <GettingStarted />;
  const shares = statuses.map(([status, field]) => ({
    name: statusNames[status],
    count: apps[field],
    path: ['apps'],
    query: { status },
  }));
  return (
    <>
      <Queue review={overview.review} />
      <div class="overview">
        <section aria-labelledby="apps">
          <h2 id="apps">Apps: {total.toLocaleString()}</h2>
          <Shares of="Status" shares={shares} />
        </section>
        <section aria-labelledby="installations">
          <h2 id="installations">Installations: {installations.toLocaleString()}</h2>
          <CurveChart of="Installations" counts={days.map((day) => ({ date: day.date, count: day.installations }))} />
        </section>
      </div>
      <p class="faint">
        Apps and installations counted <DateTime at={countedAt} />
      </p>
    </>
  );
}

function Queue({ review: { awaiting, more, oldestWaitingSince } }: Pick<Overview, 'review'>) {
  if (!oldestWaitingSince) return <p class="queue">No app awaits review.</p>;
  const count = `${more ? 'More than ' : ''}${awaiting.toLocaleString()}`;
  return (
    <p class="queue">
      <strong>{awaiting === 1 ? '1 app awaits review' : `${count} apps await review`}</strong>
      {'; the first entered the queue '}
      <DateTime at={oldestWaitingSince} />
      {'. '}
      <a href={hrefOf(['review'])}>Open the queue</a>
    </p>
  );
}
