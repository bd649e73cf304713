import { Command } from 'commander';
import { deleteApp, restoreApp } from '../../features/apps/deleted-apps.ts';
import { reviewClaimOperations } from '../../features/apps/review/review-claims.ts';
import { reviewNoteOperations } from '../../features/apps/review/review-notes.ts';
import { revertApp } from '../../features/apps/revisions/revert-app.ts';
import { transferApp } from '../../features/apps/transfer-app.ts';
import { derivedCommand, derivedCommands } from '../derived-commands.ts';
import { appCreateCommand } from './create.ts';
import { appGetCommand } from './get.ts';
import { appListCommand } from './list.ts';
import { appListDecisionsCommand } from './list-decisions.ts';
import { appListReviewQueueCommand } from './list-review-queue.ts';
import { appListRevisionsCommand } from './list-revisions.ts';
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
    ...derivedCommands({ revertApp }),
    appListReviewQueueCommand(),
    ...reviewCommands(),
    appListDecisionsCommand(),
    ...derivedCommands(reviewClaimOperations),
    ...derivedCommands(reviewNoteOperations),
    derivedCommand(transferApp),
    derivedCommand(deleteApp),
    derivedCommand(restoreApp),
  ]) {
    app.addCommand(command);
  }
  return app;
}
