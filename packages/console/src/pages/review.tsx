import { listReviewQueue, type OperatorApp } from '../api/operations.ts';
import { AppRowHeader } from '../parts/app-row-header.tsx';
import { DateTime } from '../parts/date-time.tsx';
import { DeveloperName } from '../parts/developer-name.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** The apps that await review, longest waiting first. Each is decided on its own page. */
export function ReviewPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest((signal) => listReviewQueue({ cursor }, signal), [cursor]);
  return (
    <Page title="Review">
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <p class="empty">No app awaits review.</p>}
        {data && data.items.length > 0 && <Queue apps={data.items} />}
        {data && <Pager page={data} of="the queue" hrefAt={(at) => hrefOf(['review'], { cursor: at })} />}
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
          <th scope="col">Waiting since</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <AppRowHeader app={app} />
            <td data-label="To review">{toReview(app)}</td>
            <td data-label="Developer">
              <DeveloperName userId={app.developerId} />
            </td>
            <td data-label="Waiting since">{app.submittedAt && <DateTime at={app.submittedAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toReview({ approved, changedSinceApproval }: OperatorApp): string {
  if (!approved) return 'Everything (never approved)';
  return changedSinceApproval ? 'Changes since approval' : 'Nothing (unchanged since approval)';
}
