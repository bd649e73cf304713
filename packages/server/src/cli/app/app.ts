import { Command } from 'commander';
import { appClaimCommand, appReleaseCommand } from './claim.ts';
import { appCreateCommand } from './create.ts';
import { appDecisionsCommand } from './decisions.ts';
import { appDeleteCommand } from './delete.ts';
import { appListCommand } from './list.ts';
import { noteCommands } from './notes.ts';
import { appQueueCommand } from './queue.ts';
import { appRestoreCommand } from './restore.ts';
import { appRevertCommand } from './revert.ts';
import { reviewCommands } from './review.ts';
import { appRevisionsCommand } from './revisions.ts';
import { appShowCommand } from './show.ts';
import { appTransferCommand } from './transfer.ts';
import { appUpdateCommand } from './update.ts';

export function appCommand(): Command {
  const app = new Command('app').description('Manage and review apps.');
  for (const command of [
    appCreateCommand(),
    appListCommand(),
    appShowCommand(),
    appRevisionsCommand(),
    appUpdateCommand(),
    appRevertCommand(),
    appQueueCommand(),
    ...reviewCommands(),
    appDecisionsCommand(),
    appClaimCommand(),
    appReleaseCommand(),
    ...noteCommands(),
    appTransferCommand(),
    appDeleteCommand(),
    appRestoreCommand(),
  ]) {
    app.addCommand(command);
  }
  return app;
}
