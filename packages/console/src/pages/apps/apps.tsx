import type { AppQuery, AppSummary } from '@appregistrar/client/operator';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { AppRowHeader } from '../../parts/app-row-header.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperName } from '../../parts/developer-name.tsx';
import { GettingStarted } from '../../parts/getting-started.tsx';
import { SortHeader } from '../../parts/list/sort-header.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ReviewStatus, statusNames } from '../../parts/review-status.tsx';
import { hrefOf, replaceRoute } from '../../route.ts';
import { useRequest } from '../../use-request.ts';

const typingPauseMs = 200;

/** The filter of the list, as stored in the URL of the page. */
interface Filter {
  name?: string | undefined;
  status?: string | undefined;
  changed?: string | undefined;
  /** Of the addresses of an app. */
  host?: string | undefined;
  sort?: string | undefined;
}

/** The apps that are not deleted, with filters. */
export function AppList({ query }: { query: URLSearchParams }) {
  const filter: Filter = {
    name: query.get('name') ?? undefined,
    status: query.get('status') ?? undefined,
    changed: query.get('changed') ?? undefined,
    host: query.get('host') ?? undefined,
    sort: query.get('sort') ?? undefined,
  };
  const cursor = query.get('cursor') ?? undefined;
  const parameters = { ...filter, cursor };
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.apps.list(appQueryOf(parameters), { signal }).page(),
    Object.values(parameters),
    { follows: ofTypes('app.', 'installation.', 'developer.') },
  );
  return (
    <>
      <FilterForm filter={filter} />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending} class="result">
        <p class="visually-hidden" role="status">
          {data && !isPending && `${data.items.length} apps on this page`}
        </p>
        {data?.items.length === 0 && <NoApps isFiltered={Object.values(filter).some(Boolean)} />}
        {data && <TotalCount page={data} of="apps" />}
        {data && data.items.length > 0 && <AppTable apps={data.items} query={query} />}
        {data && <Pager page={data} of="the apps" hrefAt={(at) => hrefOf(['apps'], { ...filter, cursor: at })} />}
      </div>
    </>
  );
}

function appQueryOf({ name, status, changed, host, sort, cursor }: Filter & { cursor: string | undefined }): AppQuery {
  return {
    ...(name && { name }),
    ...(status && { status: [status] as NonNullable<AppQuery['status']> }),
    ...(changed && { changedSinceApproval: changed === 'yes' }),
    ...(host ? { host } : sort && { sort: sort as NonNullable<AppQuery['sort']> }),
    ...(cursor && { cursor }),
    limit: pageSize,
    withTotal: true,
  };
}

function FilterForm({ filter }: { filter: Filter }) {
  const [name, setName] = useState(filter.name ?? '');
  const timer = useRef<number | undefined>(undefined);
  const sent = useRef(filter.name);
  const change = (changes: Filter) => {
    clearTimeout(timer.current);
    const next = { ...filter, name, ...changes };
    sent.current = next.name;
    replaceRoute(hrefOf(['apps'], { ...next }));
  };
  const type = (text: string) => {
    setName(text);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => change({ name: text }), typingPauseMs);
  };
  // Navigation restores the name from the URL, but never overwrites what is being typed.
  useLayoutEffect(() => {
    if ((filter.name ?? '') !== (sent.current ?? '')) setName(filter.name ?? '');
    sent.current = filter.name;
  }, [filter.name]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search class="filter">
      <label>
        Name starts with
        <input type="search" value={name} maxLength={100} onInput={({ currentTarget }) => type(currentTarget.value)} />
      </label>
      <label>
        Host
        <input
          type="search"
          value={filter.host ?? ''}
          maxLength={255}
          onChange={({ currentTarget }) => change({ host: currentTarget.value.trim() })}
        />
      </label>
      <label>
        Status
        <select value={filter.status ?? ''} onChange={({ currentTarget }) => change({ status: currentTarget.value })}>
          <option value="">Any</option>
          {Object.entries(statusNames).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Since approval
        <select value={filter.changed ?? ''} onChange={({ currentTarget }) => change({ changed: currentTarget.value })}>
          <option value="">Any</option>
          <option value="yes">Changed</option>
          <option value="no">Unchanged</option>
        </select>
      </label>
    </search>
  );
}

function NoApps({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? <NoMatches of="apps" path={['apps']} /> : <GettingStarted />;
}

function AppTable({ apps, query }: { apps: AppSummary[]; query: URLSearchParams }) {
  return (
    <table class="list">
      <thead>
        <tr>
          {query.has('host') ? (
            <th scope="col">App</th>
          ) : (
            <SortHeader name="name" label="App" path={['apps']} query={query} />
          )}
          <th scope="col">Status</th>
          <th scope="col">Developer</th>
          <th scope="col" class="number">
            Installations
          </th>
          {query.has('host') || query.has('name') ? (
            <th scope="col">Last change</th>
          ) : (
            <SortHeader name="updatedAt" label="Last change" path={['apps']} query={query} />
          )}
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <AppRowHeader app={app} />
            <td>
              <ReviewStatus app={app} />
            </td>
            <td data-label="Developer">
              <DeveloperName userId={app.developerId} />
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
