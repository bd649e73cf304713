import type { Overview, Statistics } from '@appregistrar/client/operator';
import { anyEvent } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { GettingStarted } from '../../parts/getting-started.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { statusNames } from '../../parts/review-status.tsx';
import { activityTabs, Tabs } from '../../parts/tabs.tsx';
import { useRequest } from '../../use-request.ts';
import { CurveChart } from './curve-chart.tsx';
import { Shares } from './shares.tsx';
import { Decisions, FailingWebhooks, GrowingApps, InstallationChanges, TimeToDecide, Waiting } from './team.tsx';

const statuses = [
  ['DRAFT', 'draft'],
  ['AWAITING_REVIEW', 'awaitingReview'],
  ['APPROVED', 'approved'],
  ['REJECTED', 'rejected'],
] as const;

/** Counting takes the registry a while. */
const recountMs = 15_000;

/** How the team of reviewers is doing, and the size of the registry today and over time. */
export function OverviewPage() {
  const { data, error, isPending, reload } = useRequest(
    (signal) => Promise.all([operator.overview.get({ signal }), operator.statistics.get({ signal })]),
    [],
    { follows: anyEvent, everyMs: recountMs },
  );
  return (
    <Page title="Activity">
      <Tabs of="the activity" tabs={activityTabs} current="overview" />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>{data && <Summary overview={data[0]} statistics={data[1]} />}</div>
    </Page>
  );
}

function Summary({ overview, statistics }: { overview: Overview; statistics: Statistics }) {
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
      <Waiting waiting={statistics.waiting} />
      <FailingWebhooks webhooks={statistics.webhooks} />
      <div class="overview">
        <section aria-labelledby="apps">
          <h2 id="apps">Apps: {total.toLocaleString()}</h2>
          <Shares of="Status" shares={shares} />
        </section>
        <GrowingApps growingApps={statistics.growingApps} />
        <Decisions weeks={statistics.weeks} />
        <TimeToDecide weeks={statistics.weeks} />
        <InstallationChanges weeks={statistics.weeks} />
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
