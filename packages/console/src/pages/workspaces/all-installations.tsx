import { Download } from 'lucide';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { InstallationTable } from '../../parts/installation-table.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

/** The installations in all workspaces, or those by one person. Those of one app are a tab of it. */
export function AllInstallations({ query }: { query: URLSearchParams }) {
  const filter = { userId: query.get('userId') ?? undefined };
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.installations.list({ ...filter, cursor, limit: pageSize, withTotal: true }, { signal }).page(),
    [filter.userId, cursor],
    { follows: ofTypes('installation.', 'app.deleted', 'app.restored') },
  );
  return (
    <section aria-labelledby="installations">
      <h2 id="installations">Installations</h2>
      <Filter path={['workspaces']} query={query} error={error} retry={reload}>
        <TextField name="/userId" label="Installed by (user id)" type="search" defaultValue={filter.userId} />
      </Filter>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoInstallations isFiltered={filter.userId !== undefined} />}
        {data && <TotalCount page={data} of="installations" />}
        {data && data.items.length > 0 && <InstallationTable installations={data.items} />}
        {data && (
          <Pager
            page={data}
            of="the installations"
            hrefAt={(at) => hrefOf(['workspaces'], { ...filter, cursor: at })}
          />
        )}
      </div>
    </section>
  );
}

function NoInstallations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatches of="installations" path={['workspaces']} />;
  return <Empty icon={Download} text="No app is installed yet." />;
}
