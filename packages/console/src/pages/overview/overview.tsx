import { type Overview, showOverview } from '../../api/operations.ts';
import { HowToBegin } from '../../parts/how-to-begin.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Refused } from '../../parts/refused.tsx';
import { statusNames } from '../../parts/review-status.tsx';
import { addressOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { ago } from './ago.ts';
import { CurveChart } from './curve-chart.tsx';
import { Shares } from './shares.tsx';

const statuses = [
  ['DRAFT', 'draft'],
  ['AWAITING_REVIEW', 'awaitingReview'],
  ['APPROVED', 'approved'],
  ['REJECTED', 'rejected'],
] as const;

/** How the registry stands, and how it came there. */
export function OverviewPage() {
  const { answer, refusal, isAsking, askAgain } = useRequest(showOverview, []);
  return (
    <Page title="Overview">
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      {!answer && isAsking && <p class="waiting">Counting…</p>}
      <div aria-busy={isAsking}>{answer && <Standing overview={answer} />}</div>
    </Page>
  );
}

function Standing({ overview }: { overview: Overview }) {
  const { apps, installations, days, countedAt } = overview;
  const all = Object.values(apps).reduce((sum, count) => sum + count, 0);
  if (all === 0) return <HowToBegin />;
  const shares = statuses.map(([status, member]) => ({
    name: statusNames[status],
    count: apps[member],
    path: ['apps'],
    query: { status },
  }));
  return (
    <>
      <Queue review={overview.review} />
      <div class="overview">
        <section aria-labelledby="apps">
          <h2 id="apps">Apps: {all.toLocaleString()}</h2>
          <Shares of="Status" shares={shares} />
        </section>
        <section aria-labelledby="installations">
          <h2 id="installations">Installations: {installations.toLocaleString()}</h2>
          <CurveChart of="Installations" counts={days.map((day) => ({ date: day.date, count: day.installations }))} />
        </section>
      </div>
      <p class="faint">
        Apps and installations as counted <Moment at={countedAt} />
      </p>
    </>
  );
}

function Queue({ review: { awaiting, more, oldestSubmittedAt } }: Pick<Overview, 'review'>) {
  if (!oldestSubmittedAt) return <p class="queue">No app awaits review.</p>;
  const many = `${more ? 'More than ' : ''}${awaiting.toLocaleString()}`;
  return (
    <p class="queue">
      <strong>{awaiting === 1 ? '1 app awaits review' : `${many} apps await review`}</strong>
      {`; the first was submitted ${ago(oldestSubmittedAt, Date.now())}. `}
      <a href={addressOf(['review'])}>Open the queue</a>
    </p>
  );
}
