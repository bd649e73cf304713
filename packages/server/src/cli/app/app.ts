import { Command } from 'commander';
import { deleteApp, restoreApp } from '../../features/apps/deleted-apps.ts';
import { transferApp } from '../../features/apps/transfer-app.ts';
import { derivedCommand } from '../derived-commands.ts';
import { appClaimCommand, appReleaseCommand } from './claim.ts';
import { appCreateCommand } from './create.ts';
import { appGetCommand } from './get.ts';
import { appListCommand } from './list.ts';
import { appListDecisionsCommand } from './list-decisions.ts';
import { appListReviewQueueCommand } from './list-review-queue.ts';
import { appListRevisionsCommand } from './list-revisions.ts';
import { noteCommands } from './notes.ts';
import { appRevertCommand } from './revert.ts';
import { reviewCommands } from './review.ts';
import { appUpdateCommand } from './update.ts';

export function appCommand(): Command {
  const app = new Command('app').description('Manage and review apps.');
  for (const command of [
    appCreateCommand(),
    appListCommand(),
    appGetCommand(),
    appListRevisionsCommand(),
    appUpdateCommand(),
    appRevertCommand(),
    appListReviewQueueCommand(),
    ...reviewCommands(),
    appListDecisionsCommand(),
    appClaimCommand(),
    appReleaseCommand(),
    ...noteCommands(),
    derivedCommand(transferApp),
    derivedCommand(deleteApp),
    derivedCommand(restoreApp),
  ]) {
    app.addCommand(command);
  }
  return app;
}
