import { useEffect, useRef, useState } from 'preact/hooks';
import { type AppQuery, listApps, type OperatorApp } from '../api/operations.ts';
import { AppHead } from '../parts/app-head.tsx';
import { DeveloperName } from '../parts/developer-name.tsx';
import { HowToBegin } from '../parts/how-to-begin.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Refused } from '../parts/refused.tsx';
import { ReviewStatus, statusNames } from '../parts/review-status.tsx';
import { addressOf, replaceRoute } from '../route.ts';
import { useRequest } from '../use-request.ts';

const typingPauseMs = 200;

/** What narrows the list, as the address of the page holds it. */
interface Filter {
  name?: string | undefined;
  status?: string | undefined;
  changed?: string | undefined;
}

/** The apps of the registry, to search and to filter. */
export function AppsPage({ query }: { query: URLSearchParams }) {
  const filter: Filter = {
    name: query.get('name') ?? undefined,
    status: query.get('status') ?? undefined,
    changed: query.get('changed') ?? undefined,
  };
  const cursor = query.get('cursor') ?? undefined;
  const asked = { ...filter, cursor };
  const { answer, refusal, isAsking, askAgain } = useRequest(
    (signal) => listApps(appQueryOf(asked), signal),
    Object.values(asked),
  );
  return (
    <Page title="Apps">
      <FilterForm filter={filter} />
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking} class="result">
        <p class="visually-hidden" role="status">
          {answer && !isAsking && `${answer.items.length} apps on this page`}
        </p>
        {answer?.items.length === 0 && <NoApps isFiltered={Object.values(filter).some(Boolean)} />}
        {answer && answer.items.length > 0 && <AppTable apps={answer.items} />}
        {answer && (
          <Pager page={answer} of="the apps" addressAt={(at) => addressOf(['apps'], { ...filter, cursor: at })} />
        )}
      </div>
    </Page>
  );
}

function appQueryOf({ name, status, changed, cursor }: Filter & { cursor: string | undefined }): AppQuery {
  return {
    ...(name && { name }),
    ...(status && { status: status as NonNullable<AppQuery['status']> }),
    ...(changed && { changedSinceApproval: changed === 'yes' }),
    ...(cursor && { cursor }),
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
    replaceRoute(addressOf(['apps'], { ...next }));
  };
  const type = (text: string) => {
    setName(text);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => change({ name: text }), typingPauseMs);
  };
  // The name that the address holds counts when somebody goes back to it, but not over what is being typed.
  useEffect(() => {
    if ((filter.name ?? '') !== (sent.current ?? '')) setName(filter.name ?? '');
    sent.current = filter.name;
  }, [filter.name]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search class="filter">
      <label>
        Name begins with
        <input type="search" value={name} maxLength={100} onInput={({ currentTarget }) => type(currentTarget.value)} />
      </label>
      <label>
        Status
        <select value={filter.status ?? ''} onChange={({ currentTarget }) => change({ status: currentTarget.value })}>
          <option value="">Any</option>
          {Object.entries(statusNames).map(([status, said]) => (
            <option key={status} value={status}>
              {said}
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
  if (isFiltered) {
    return (
      <p class="empty">
        No app is like that. <a href={addressOf(['apps'])}>Show all apps</a>
      </p>
    );
  }
  return <HowToBegin />;
}

function AppTable({ apps }: { apps: OperatorApp[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">App</th>
          <th scope="col">Status</th>
          <th scope="col">Developer</th>
          <th scope="col" class="number">
            Installations
          </th>
          <th scope="col">Last change</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <AppHead app={app} />
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
              <Moment at={app.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
