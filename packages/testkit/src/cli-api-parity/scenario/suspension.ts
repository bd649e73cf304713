import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const reason = 'The apps send customer data elsewhere.';
const dryRun = { query: { dryRun: 'true' } };
const install = { appId: ids.hostileApproved, workspaceId: ids.studio, userId: ids.grace };
const suspend = cli`developer suspend ${ids.hostile} --reason ${reason}`;

/** The suspension of a developer, and dry runs. It leaves everything as it was. */
export const suspension: ParityCase[] = [
  done('suspendDeveloper', [...suspend, '--dry-run'], { id: ids.hostile, body: { reason }, ...dryRun }),
  done('suspendDeveloper', suspend, { id: ids.hostile, body: { reason } }),
  done('suspendDeveloper', suspend, { id: ids.hostile, body: { reason } }),
  refused('suspendDeveloper developer_not_found', cli`developer suspend ada --reason ${reason}`, {
    id: 'ada',
    body: { reason },
  }),
  refused('suspendDeveloper invalid_content', cli`developer suspend ${ids.hostile} --reason ${''}`, {
    id: ids.hostile,
    body: { reason: '' },
  }),
  done('getDeveloper', cli`developer get ${ids.hostile}`, { id: ids.hostile }),
  done('getAppAsOperator', cli`app get ${ids.hostileApproved}`, { id: ids.hostileApproved }),
  done('getInstallation', cli`installation get ${ids.hostileInstallation}`, { id: ids.hostileInstallation }),

  refused('submitApp developer_suspended', cli`app submit ${ids.hostileDraft}`, { id: ids.hostileDraft }),
  refused('approveApp developer_suspended', cli`app approve ${ids.hostileAwaiting} --revision 1`, {
    id: ids.hostileAwaiting,
    revision: 1,
  }),
  refused(
    'createInstallation developer_suspended',
    cli`installation create --app ${install.appId} --workspace ${install.workspaceId} --user ${install.userId}`,
    { body: install },
  ),
  refused('enableInstallation developer_suspended', cli`installation enable ${ids.hostileInstallation}`, {
    id: ids.hostileInstallation,
  }),
  refused('transferApp developer_suspended', cli`app transfer ${ids.approved} --developer ${ids.hostile}`, {
    id: ids.approved,
    body: { developerId: ids.hostile },
  }),

  done('unsuspendDeveloper', cli`developer unsuspend ${ids.hostile} --dry-run`, { id: ids.hostile, ...dryRun }),
  done('unsuspendDeveloper', cli`developer unsuspend ${ids.hostile}`, { id: ids.hostile }),
  refused('unsuspendDeveloper developer_not_found', cli`developer unsuspend ada`, { id: 'ada' }),

  done('revokeApp', cli`app revoke ${ids.hostileApproved} --reason ${reason} --disable-installations --dry-run`, {
    id: ids.hostileApproved,
    body: { reason, disableInstallations: true },
    ...dryRun,
  }),
  done('deleteApp', cli`app delete ${ids.hostileApproved} --force --dry-run`, {
    id: ids.hostileApproved,
    query: { force: 'true', dryRun: 'true' },
  }),
  done('deleteInstallation', cli`installation delete ${ids.hostileInstallation} --dry-run`, {
    id: ids.hostileInstallation,
    ...dryRun,
  }),
  done('deleteInstallationsOfWorkspace', cli`installation delete --workspace ${ids.office} --dry-run`, {
    id: ids.office,
    ...dryRun,
  }),
  done('eraseDeveloper', cli`developer erase ${ids.hostile} --dry-run`, { id: ids.hostile, ...dryRun }),
  done('revokeTokensOfDeveloper', cli`token revoke --developer ${ids.hostile} --dry-run`, {
    id: ids.hostile,
    ...dryRun,
  }),
  refused('revokeToken token_not_found', cli`token revoke ${ids.noToken} --dry-run`, { id: ids.noToken, ...dryRun }),
];
