import { listReviewQueue, type OperatorApp } from '../api/operations.ts';
import { AppHead } from '../parts/app-head.tsx';
import { DeveloperName } from '../parts/developer-name.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Refused } from '../parts/refused.tsx';
import { addressOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** The apps that await review, the longest waiting first. Each is decided about on its own page. */
export function ReviewPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const { answer, refusal, isAsking, askAgain } = useRequest((signal) => listReviewQueue({ cursor }, signal), [cursor]);
  return (
    <Page title="Review">
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        {answer?.items.length === 0 && <p class="empty">No app awaits review.</p>}
        {answer && answer.items.length > 0 && <Queue apps={answer.items} />}
        {answer && <Pager page={answer} of="the queue" addressAt={(at) => addressOf(['review'], { cursor: at })} />}
      </div>
    </Page>
  );
}

function Queue({ apps }: { apps: OperatorApp[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">App</th>
          <th scope="col">To review</th>
          <th scope="col">Developer</th>
          <th scope="col">Waits since</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <AppHead app={app} />
            <td data-label="To review">{toReview(app)}</td>
            <td data-label="Developer">
              <DeveloperName userId={app.developerId} />
            </td>
            <td data-label="Waits since">{app.submittedAt && <Moment at={app.submittedAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toReview({ approved, changedSinceApproval }: OperatorApp): string {
  if (!approved) return 'Everything: it was never approved';
  return changedSinceApproval ? 'What has changed since it was approved' : 'Nothing: it is as it was approved';
}
