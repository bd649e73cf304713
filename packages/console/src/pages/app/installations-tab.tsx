import type { OperatorApp, OperatorInstallation } from 'app-registry-client/operator';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';

interface InstallationsProps {
  app: OperatorApp;
  cursor: string | undefined;
  hrefAt: (cursor: string) => string;
  /** Called after an installation was enabled or disabled. */
  onChange: () => void;
}

/** The installations of an app, with buttons to enable and disable them. */
export function Installations({ app, cursor, hrefAt, onChange }: InstallationsProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.installations.list({ appId: app.id, cursor }, { signal }).page(),
    [app, cursor],
  );
  return (
    <section aria-labelledby="installations">
      <h2 id="installations">Installations ({app.installationCount.toLocaleString()})</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <p class="empty">No workspace has installed this app.</p>}
        {data && data.items.length > 0 && (
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
              {data.items.map((installation) => (
                <InstallationRow key={installation.id} installation={installation} onChange={onChange} />
              ))}
            </tbody>
          </table>
        )}
        {data && <Pager page={data} hrefAt={hrefAt} of="the installations" />}
      </div>
    </section>
  );
}

function InstallationRow({ installation, onChange }: { installation: OperatorInstallation; onChange: () => void }) {
  const { id, workspaceId, userId, createdAt, enabled, disabledBy = [] } = installation;
  const { isPending, error, run } = useAction();
  const canChange = useHasScope('install');
  const change = () =>
    run(async () => {
      await (enabled ? operator.installations.disable(id) : operator.installations.enable(id));
      onChange();
    });
  return (
    <tr>
      <th scope="row">
        <code title={id}>{workspaceId}</code>
      </th>
      <td data-label="Installed by">
        <code>{userId}</code>
      </td>
      <td data-label="Since">
        <DateTime at={createdAt} />
      </td>
      <td data-label="State">
        <span class={`badge ${enabled ? 'approved' : 'draft'}`}>{enabled ? 'Enabled' : 'Disabled'}</span>{' '}
        {!enabled && <small>by {disabledBy.join(', ')}</small>}{' '}
        {canChange && (
          <button
            type="button"
            disabled={isPending}
            onClick={change}
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${workspaceId}`}
          >
            {enabled ? 'Disable' : 'Enable'}
          </button>
        )}
        {error && <RequestError error={error} />}
      </td>
    </tr>
  );
}
