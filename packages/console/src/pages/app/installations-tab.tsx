import type { OperatorInstallation } from '@appregistrar/client/operator';
import { ofApp, useChanges } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { Pager } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import type { AppTabProps } from './app-tab-props.ts';
import { InstallApp } from './install-app.tsx';
import { InstallationRow } from './installation-row.tsx';

/** The installations of an app, with filters, and with what can be done with each. */
export function InstallationsTab({ app, query, reload: reloadApp }: AppTabProps) {
  const path = ['apps', app.id, 'installations'];
  const filter = { workspaceId: query.get('workspaceId') ?? undefined, state: query.get('state') ?? undefined };
  const cursor = query.get('installations') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) => {
      const { workspaceId, state } = filter;
      const enabled = state === undefined ? undefined : state === 'enabled';
      return operator.installations.list({ appId: app.id, workspaceId, enabled, cursor }, { signal }).page();
    },
    [app.id, ...Object.values(filter), cursor],
    { follows: ofApp(app.id) },
  );
  useChanges(ofApp(app.id), reloadApp);
  const onChange = () => {
    reload();
    // It shows the number of installations.
    reloadApp();
  };
  return (
    <section aria-labelledby="installations">
      <h2 id="installations">Installations ({app.installationCount.toLocaleString()})</h2>
      <InstallApp app={app} onInstalled={onChange} />
      <Filter path={path} query={query} error={error} retry={reload}>
        <TextField name="/workspaceId" label="Workspace id" type="search" defaultValue={filter.workspaceId ?? ''} />
        <SelectField name="/state" label="State" defaultValue={filter.state ?? ''}>
          <option value="">Any</option>
          <option value="enabled">Enabled</option>
          <option value="disabled">Disabled</option>
        </SelectField>
      </Filter>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <None query={query} path={path} hasMore={data.nextCursor !== undefined} />}
        {data && data.items.length > 0 && <InstallationTable installations={data.items} onChange={onChange} />}
        {data && (
          <Pager page={data} of="the installations" hrefAt={(at) => hrefOf(path, { ...filter, installations: at })} />
        )}
      </div>
    </section>
  );
}

function None({ query, path, hasMore }: { query: URLSearchParams; path: string[]; hasMore: boolean }) {
  if (hasMore) return <p class="empty">No matching installations on this page. Try the next one.</p>;
  if (query.size === 0) return <p class="empty">No workspace has installed this app.</p>;
  return (
    <p class="empty">
      No matching installations. <a href={hrefOf(path)}>Show all installations</a>
    </p>
  );
}

interface InstallationTableProps {
  installations: OperatorInstallation[];
  onChange: () => void;
}

function InstallationTable({ installations, onChange }: InstallationTableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Workspace</th>
          <th scope="col">Installed by</th>
          <th scope="col">Since</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {installations.map((installation) => (
          <InstallationRow key={installation.id} installation={installation} onChange={onChange} />
        ))}
      </tbody>
    </table>
  );
}
