import type { AppSummary, OperatorDeveloper } from '@appregistrar/client/operator';
import { Layers } from 'lucide';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { AppRowHeader } from '../../parts/app-row-header.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ReviewStatus } from '../../parts/review-status.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

interface AppsOfDeveloperProps {
  developer: OperatorDeveloper;
  cursor: string | undefined;
  /** How often the page has changed the developer: their apps may have changed with them. */
  changes: number;
}

/** The apps of a developer. */
export function AppsOfDeveloper({ developer: { id: userId }, cursor, changes }: AppsOfDeveloperProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) =>
      operator.apps.list({ developerId: userId, cursor, limit: pageSize, withTotal: true }, { signal }).page(),
    [userId, cursor, changes],
    { follows: ofTypes('app.', 'installation.', 'developer.') },
  );
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">Apps</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <Empty icon={Layers} text="This developer has no apps." />}
        {data && <TotalCount page={data} of="apps" />}
        {data && data.items.length > 0 && <AppTable apps={data.items} />}
        {data && <Pager page={data} of="the apps" hrefAt={(at) => hrefOf(['developers', userId], { apps: at })} />}
      </div>
      <p>
        <a href={hrefOf(['apps'], { show: 'deleted', developerId: userId })}>Deleted apps of this developer</a>
      </p>
    </section>
  );
}

function AppTable({ apps }: { apps: AppSummary[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">App</th>
          <th scope="col">Status</th>
          <th scope="col" class="number">
            Installations
          </th>
          <th scope="col">Last change</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <AppRowHeader app={app} />
            <td>
              <ReviewStatus app={app} />
            </td>
            <td data-label="Installations" class="number">
              {app.installationCount.toLocaleString()}
            </td>
            <td data-label="Last change">
              <DateTime at={app.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
