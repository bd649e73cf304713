import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

/** Transfer, deletion and erasure. They come after the cases that need their objects. */
export const ownershipAndDeletion: ParityCase[] = [
  done('transferApp', cli`app transfer ${ids.approved} --developer ${ids.grace}`, {
    id: ids.approved,
    body: { developerId: ids.grace },
  }),
  refused('transferApp app_not_found', cli`app transfer ${ids.noApp} --developer ${ids.grace}`, {
    id: ids.noApp,
    body: { developerId: ids.grace },
  }),
  refused('transferApp developer_not_found', cli`app transfer ${ids.approved} --developer ${ids.noDeveloper}`, {
    id: ids.approved,
    body: { developerId: ids.noDeveloper },
  }),
  refused('transferApp invalid_content', cli`app transfer ${ids.approved} --developer grace`, {
    id: ids.approved,
    body: { developerId: 'grace' },
  }),

  done('deleteApp', cli`app delete ${ids.rejected}`, { id: ids.rejected }),
  refused('deleteApp app_not_found', cli`app delete ${ids.rejected}`, { id: ids.rejected }),
  refused('deleteApp app_installed', cli`app delete ${ids.approved}`, { id: ids.approved }),
  done('deleteApp', cli`app delete ${ids.approved} --force`, { id: ids.approved, query: { force: 'true' } }),

  done('listDeletedApps', cli`app list --deleted --limit 1`, { query: { limit: '1' } }),
  done('listDeletedApps', cli`app list --deleted --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  done('listDeletedApps', cli`app list --deleted --developer ${ids.grace}`, { query: { developerId: ids.grace } }),
  done('listDeletedApps', cli`app list --deleted --sort -deletedAt --with-total`, {
    query: { sort: '-deletedAt', withTotal: 'true' },
  }),
  refused('listDeletedApps invalid_content', cli`app list --deleted --developer ada`, {
    query: { developerId: 'ada' },
  }),

  done('restoreApp', cli`app restore ${ids.approved}`, { id: ids.approved }),
  refused('restoreApp app_not_found', cli`app restore ${ids.approved}`, { id: ids.approved }),
  done('createApp', cli`app create --developer ${ids.grace} --name Rejected`, {
    body: { developerId: ids.grace, name: 'Rejected' },
  }),
  refused('restoreApp name_taken', cli`app restore ${ids.rejected}`, { id: ids.rejected }),

  done('eraseDeveloper', cli`developer erase ${ids.ada}`, { id: ids.ada }),
  refused('eraseDeveloper developer_not_found', cli`developer erase ada`, { id: 'ada' }),
];
