import {
  type Installation,
  listInstallations,
  type OperatorApp,
  setInstallationEnabled,
} from '../../api/operations.ts';
import { Moment } from '../../parts/moment.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useMay } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';

interface InstallationsProps {
  app: OperatorApp;
  cursor: string | undefined;
  addressAt: (cursor: string) => string;
  /** Called when one was enabled or disabled. */
  onChange: () => void;
}

/** Where an app is installed, to enable and to disable. */
export function Installations({ app, cursor, addressAt, onChange }: InstallationsProps) {
  const { answer, refusal, isAsking, askAgain } = useRequest(
    (signal) => listInstallations({ appId: app.id, cursor }, signal),
    [app, cursor],
  );
  return (
    <section aria-labelledby="installations">
      <h2 id="installations">Installations ({app.installationCount.toLocaleString()})</h2>
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        {answer?.items.length === 0 && <p class="empty">No workspace has installed this app.</p>}
        {answer && answer.items.length > 0 && (
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
              {answer.items.map((installation) => (
                <InstallationRow key={installation.id} installation={installation} onChange={onChange} />
              ))}
            </tbody>
          </table>
        )}
        {answer && <Pager page={answer} addressAt={addressAt} of="the installations" />}
      </div>
    </section>
  );
}

function InstallationRow({ installation, onChange }: { installation: Installation; onChange: () => void }) {
  const { id, workspaceId, userId, createdAt, enabled } = installation;
  const { isAsking, refusal, run } = useAction();
  const mayChange = useMay('admin');
  const change = () =>
    run(async () => {
      await setInstallationEnabled(id, !enabled);
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
        <Moment at={createdAt} />
      </td>
      <td data-label="State">
        <span class={`badge ${enabled ? 'approved' : 'draft'}`}>{enabled ? 'Enabled' : 'Disabled'}</span>{' '}
        {mayChange && (
          <button
            type="button"
            disabled={isAsking}
            onClick={change}
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${workspaceId}`}
          >
            {enabled ? 'Disable' : 'Enable'}
          </button>
        )}
        {refusal && <Refused refusal={refusal} />}
      </td>
    </tr>
  );
}
