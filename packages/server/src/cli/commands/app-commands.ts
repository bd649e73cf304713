import { Command, Option } from 'commander';
import { deleteApp, restoreApp } from '../../features/apps/deleted-apps.ts';
import { createApp, getApp, listApps, updateApp } from '../../features/apps/operator-apps.ts';
import { reviewClaimOperations } from '../../features/apps/review/review-claims.ts';
import { reviewNoteOperations } from '../../features/apps/review/review-notes.ts';
import { reviewOperations } from '../../features/apps/review/review-steps.ts';
import { revertApp } from '../../features/apps/revisions/revert-app.ts';
import { listAppRevisions } from '../../features/apps/revisions/revisions.ts';
import { transferApp } from '../../features/apps/transfer-app.ts';
import { revisionName, utcTime } from '../command-options.ts';
import { commandGroup, derivedCommand } from '../derived-commands.ts';

export function appCommand(): Command {
  return commandGroup(new Command('app').description('Manage and review apps.'), {
    createApp,
    listApps,
    get: getCommand(),
    ...{ listAppRevisions, updateApp, revertApp },
    ...reviewOperations,
    ...reviewClaimOperations,
    ...reviewNoteOperations,
    ...{ transferApp, deleteApp, restoreApp },
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
