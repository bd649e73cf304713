import { Download } from 'lucide';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { InstallationTable } from '../../parts/installation-table.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

/** The installations of all apps, with filters. */
export function InstallationsPage({ query }: { query: URLSearchParams }) {
  const filter = {
    appId: query.get('appId') ?? undefined,
    workspaceId: query.get('workspaceId') ?? undefined,
    userId: query.get('userId') ?? undefined,
  };
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.installations.list({ ...filter, cursor, withTotal: true }, { signal }).page(),
    [...Object.values(filter), cursor],
    { follows: ofTypes('installation.', 'app.deleted', 'app.restored') },
  );
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Page title="Installations">
      <Filter path={['installations']} query={query} error={error} retry={reload}>
        <TextField name="/appId" label="App id" type="search" defaultValue={filter.appId} />
        <TextField name="/workspaceId" label="Workspace id" type="search" defaultValue={filter.workspaceId} />
        <TextField name="/userId" label="Installed by (user id)" type="search" defaultValue={filter.userId} />
      </Filter>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoInstallations isFiltered={isFiltered} />}
        {data && <TotalCount page={data} of="installations" />}
        {data && data.items.length > 0 && <InstallationTable installations={data.items} />}
        {data && (
          <Pager
            page={data}
            of="the installations"
            hrefAt={(at) => hrefOf(['installations'], { ...filter, cursor: at })}
          />
        )}
      </div>
    </Page>
  );
}

function NoInstallations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatches of="installations" path={['installations']} />;
  return <Empty icon={Download} text="No app is installed yet." />;
}
