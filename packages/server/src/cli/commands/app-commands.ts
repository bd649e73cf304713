import { Command, Option } from 'commander';
import { appSorts, deletedAppSorts } from '../../features/apps/app-schemas.ts';
import { deleteApp, restoreApp } from '../../features/apps/deleted-apps.ts';
import { createApp, getApp, listApps, updateApp } from '../../features/apps/operator-apps.ts';
import { reviewClaimOperations } from '../../features/apps/review/review-claims.ts';
import { reviewNoteOperations } from '../../features/apps/review/review-notes.ts';
import { reviewOperations } from '../../features/apps/review/review-steps.ts';
import { revertApp } from '../../features/apps/revisions/revert-app.ts';
import { listAppRevisions } from '../../features/apps/revisions/revisions.ts';
import { transferApp } from '../../features/apps/transfer-app.ts';
import { sortsOf } from '../../kernel/page.ts';
import { revisionName, utcTime } from '../command-options.ts';
import { commandGroup, derivedCommand } from '../derived-commands.ts';

export function appCommand(): Command {
  return commandGroup(new Command('app').description('Manage and review apps.'), {
    createApp,
    list: listCommand(),
    get: getCommand(),
    ...{ listAppRevisions, updateApp, revertApp },
    ...reviewOperations,
    ...reviewClaimOperations,
    ...reviewNoteOperations,
    ...{ transferApp, deleteApp, restoreApp },
  });
}

/** Lists the deleted apps too. */
function listCommand(): Command {
  const deleted = new Option('--deleted', 'list the deleted apps that "app restore" can restore');
  return derivedCommand(listApps, {
    options: [deleted.conflicts(['status', 'name', 'host', 'changedSinceApproval', 'ids'])],
    sorts: sortsOf([...new Set([...appSorts, ...deletedAppSorts])]),
    read: (run, { query = {} }, options) => (options.deleted ? run('listDeletedApps', { query }) : undefined),
  });
}

/** Shows the content at a revision or a time too. */
function getCommand(): Command {
  const revision = new Option('--revision <revision>', 'show the content at this revision, given by number or ETag');
  const at = new Option('--at <time>', 'show the content at a UTC time such as 2026-03-01T09:30:00Z');
  return derivedCommand(getApp, {
    options: [revision.argParser(revisionName), at.argParser(utcTime).conflicts('revision')],
    read(run, { params: { id = '' } = {} }, options) {
      const name = options.at ?? options.revision;
      return name === undefined ? undefined : run('getAppRevision', { params: { id, revision: String(name) } });
    },
  });
}
