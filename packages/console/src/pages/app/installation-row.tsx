import type { OperatorInstallation } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { Affected } from '../../parts/affected.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';

interface InstallationProps {
  installation: OperatorInstallation;
  onChange: () => void;
}

/** An installation of the app of the page. */
export function InstallationRow({ installation, onChange }: InstallationProps) {
  const { id, workspaceId, userId, createdAt, enabled, disabledBy = [] } = installation;
  const canChange = useHasScope('install');
  return (
    <tr>
      <th scope="row">
        <span class="id">
          <a href={hrefOf(['workspaces', workspaceId])} title={id}>
            <code>{workspaceId}</code>
          </a>
          <CopyButton text={workspaceId} label={`Copy ${workspaceId}`} />
        </span>
      </th>
      <td data-label="Installed by">
        <a href={hrefOf(['workspaces'], { userId })}>
          <code>{userId}</code>
        </a>
      </td>
      <td data-label="Since">
        <DateTime at={createdAt} />
      </td>
      <td data-label="State">
        <span key={`${enabled}`} class={`badge ${enabled ? 'approved' : 'draft'}`}>
          {enabled ? 'Enabled' : 'Disabled'}
        </span>{' '}
        {!enabled && <small>by {disabledBy.join(', ')}</small>}{' '}
        {canChange && <Steps installation={installation} onChange={onChange} />}
      </td>
    </tr>
  );
}

function Steps({ installation: { id, workspaceId, enabled }, onChange }: InstallationProps) {
  const { isPending, error, run } = useAction();
  const change = () =>
    run(async () => {
      await (enabled ? operator.installations.disable(id) : operator.installations.enable(id));
      onChange();
    });
  const name = enabled ? 'Disable' : 'Enable';
  return (
    <span class="choices">
      <button type="button" disabled={isPending} onClick={change} aria-label={`${name} ${workspaceId}`}>
        <span key={name}>{name}</span>
      </button>
      <DialogForm
        label="Delete"
        subject={workspaceId}
        submitLabel="Delete the installation"
        isDangerous
        send={async () => {
          await operator.installations.delete(id);
          onChange();
        }}
      >
        <p>This removes the app from the workspace. To use it again, someone must reinstall it.</p>
        <Affected dryRun={(signal) => operator.installations.delete(id, { dryRun: true, signal })} />
      </DialogForm>
      {error && <RequestError error={error} />}
    </span>
  );
}
