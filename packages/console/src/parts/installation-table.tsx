import type { OperatorInstallation } from '@appregistrar/client/operator';
import { hrefOf } from '../route.ts';
import { AppLink } from './app-link.tsx';
import { DateTime } from './date-time.tsx';

/** Installations of several apps. Each is changed on the page of its app. */
export function InstallationTable({ installations, of }: { installations: OperatorInstallation[]; of?: 'workspace' }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">App</th>
          {of !== 'workspace' && <th scope="col">Workspace</th>}
          <th scope="col">Installed by</th>
          <th scope="col">Since</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {installations.map(({ id, appId, workspaceId, userId, createdAt, enabled, disabledBy = [] }) => (
          <tr key={id}>
            <th scope="row">
              <AppLink id={appId} />
            </th>
            {of !== 'workspace' && (
              <td data-label="Workspace">
                <a href={hrefOf(['workspaces', workspaceId])}>
                  <code>{workspaceId}</code>
                </a>
              </td>
            )}
            <td data-label="Installed by">
              <a href={hrefOf(['workspaces'], { userId })}>
                <code>{userId}</code>
              </a>
            </td>
            <td data-label="Since">
              <DateTime at={createdAt} />
            </td>
            <td data-label="State">
              <span class={`badge ${enabled ? 'approved' : 'draft'}`}>{enabled ? 'Enabled' : 'Disabled'}</span>{' '}
              {!enabled && <small>by {disabledBy.join(', ')}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
