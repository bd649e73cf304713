import { Command } from 'commander';
import { tokenChangesCommand } from './changes.ts';
import { tokenIssueCommand } from './issue.ts';
import { tokenListCommand } from './list.ts';
import { tokenRevokeCommand } from './revoke.ts';
import { tokenShowCommand } from './show.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('Manage access tokens.')
    .addCommand(tokenIssueCommand())
    .addCommand(tokenListCommand())
    .addCommand(tokenShowCommand())
    .addCommand(tokenChangesCommand())
    .addCommand(tokenRevokeCommand());
}
