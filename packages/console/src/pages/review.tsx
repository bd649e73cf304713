import type { QueueItem } from 'app-registry-client/operator';
import { operator } from '../operator.ts';
import { AppRowHeader } from '../parts/app-row-header.tsx';
import { DateTime } from '../parts/date-time.tsx';
import { DeveloperName } from '../parts/developer-name.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

/** What awaits review, longest waiting first. Each is decided on its own page. */
export function ReviewPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.apps.listQueue({ cursor }, { signal }).page(),
    [cursor],
  );
  return (
    <Page title="Review">
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <p class="empty">No app awaits review.</p>}
        {data && data.items.length > 0 && <Queue items={data.items} />}
        {data && <Pager page={data} of="the queue" hrefAt={(at) => hrefOf(['review'], { cursor: at })} />}
      </div>
    </Page>
  );
}

function Queue({ items }: { items: QueueItem[] }) {
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
        {items.map((item) => (
          <tr key={item.app.id}>
            <AppRowHeader app={item.app} />
            <td data-label="To review">
              {toReview(item)} {item.warnings.length > 0 && <span class="badge changed">{counted(item.warnings)}</span>}
            </td>
            <td data-label="Developer">
              <DeveloperName userId={item.app.developerId} />
            </td>
            <td data-label="Waiting since">
              <DateTime at={item.waitingSince} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toReview({ kind, app, fields, sinceLastDecision }: QueueItem): string {
  if (kind === 'transfer') return fields.length > 0 ? 'New developer, and changes' : 'New developer';
  if (kind === 'change') return 'Changes of an approved app';
  if (sinceLastDecision?.isUnchanged) return 'Nothing (unchanged since the last decision)';
  if (!app.approved) return 'Everything (never approved)';
  return fields.length > 0 ? 'Changes since approval' : 'Nothing (unchanged since approval)';
}

function counted({ length }: QueueItem['warnings']): string {
  return length === 1 ? '1 warning' : `${length} warnings`;
}
