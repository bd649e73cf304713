import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const { noInstallation } = ids;
const command = (app: string) =>
  cli`installation create --app ${app} --workspace ${ids.studio} --user ${ids.noDeveloper}`;
const request = (appId: string) => ({ body: { appId, workspaceId: ids.studio, userId: ids.noDeveloper } });

export const installations: ParityCase[] = [
  done('createInstallation', command(ids.draft), request(ids.draft)),
  refused('createInstallation already_exists', command(ids.draft), request(ids.draft)),
  refused('createInstallation app_not_found', command(ids.noApp), request(ids.noApp)),
  refused('createInstallation app_not_approved', command(ids.rejected), request(ids.rejected)),
  refused(
    'createInstallation invalid_content',
    cli`installation create --app ${ids.draft} --workspace office --user ada`,
    { body: { appId: ids.draft, workspaceId: 'office', userId: 'ada' } },
  ),

  done('listInstallations', cli`installation list --app ${ids.approved} --limit 1`, {
    query: { appId: ids.approved, limit: '1' },
  }),
  done('listInstallations', cli`installation list --app ${ids.approved} --cursor nextCursor`, {
    query: { appId: ids.approved, cursor: 'nextCursor' },
  }),
  done('listInstallations', cli`installation list --workspace ${ids.office} --user ${ids.grace}`, {
    query: { workspaceId: ids.office, userId: ids.grace },
  }),
  done('listInstallations', cli`installation list`),
  done('listInstallations', cli`installation list --with-total`, { query: { withTotal: 'true' } }),
  done('listInstallations', cli`installation list --limit 1`, { query: { limit: '1' } }),
  done('listInstallations', cli`installation list --ids ${`${ids.installation},${ids.noInstallation}`}`, {
    query: { ids: `${ids.installation},${ids.noInstallation}` },
  }),
  done('listInstallations', cli`installation list --app ${ids.approved} --enabled --limit 1`, {
    query: { appId: ids.approved, enabled: 'true', limit: '1' },
  }),
  done('listInstallations', cli`installation list --no-enabled`, { query: { enabled: 'false' } }),
  refused('listInstallations invalid_content', cli`installation list --ids ${ids.installation} --app ${ids.approved}`, {
    query: { ids: ids.installation, appId: ids.approved },
  }),
  refused('listInstallations invalid_content', cli`installation list --app x --workspace y --user z`, {
    query: { appId: 'x', workspaceId: 'y', userId: 'z' },
  }),

  done('getInstallation', cli`installation get ${ids.disabled}`, { id: ids.disabled }),
  refused('getInstallation installation_not_found', cli`installation get ${noInstallation}`, { id: noInstallation }),

  done('enableInstallation', cli`installation enable ${ids.disabled}`, { id: ids.disabled }),
  done('enableInstallation', cli`installation enable ${ids.disabled}`, { id: ids.disabled }),
  refused('enableInstallation app_not_approved', cli`installation enable ${ids.stranded}`, { id: ids.stranded }),
  refused('enableInstallation installation_not_found', cli`installation enable ${noInstallation}`, {
    id: noInstallation,
  }),

  done('disableInstallation', cli`installation disable ${ids.installation}`, { id: ids.installation }),
  refused('disableInstallation installation_not_found', cli`installation disable ${noInstallation}`, {
    id: noInstallation,
  }),

  done('deleteInstallation', cli`installation delete ${ids.installation}`, { id: ids.installation }),
  refused('deleteInstallation installation_not_found', cli`installation delete ${ids.installation}`, {
    id: ids.installation,
  }),

  done('deleteInstallationsOfWorkspace', cli`installation delete --workspace ${ids.closing}`, { id: ids.closing }),
  done('deleteInstallationsOfWorkspace', cli`installation delete --workspace ${ids.closing}`, { id: ids.closing }),
  refused('deleteInstallationsOfWorkspace invalid_content', cli`installation delete --workspace office`, {
    id: 'office',
  }),
];
