import { Command } from 'commander';
import { tokenGetCommand } from './get.ts';
import { tokenIssueCommand } from './issue.ts';
import { tokenListCommand } from './list.ts';
import { tokenListChangesCommand } from './list-changes.ts';
import { tokenRevokeCommand } from './revoke.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('Manage access tokens.')
    .addCommand(tokenIssueCommand())
    .addCommand(tokenListCommand())
    .addCommand(tokenGetCommand())
    .addCommand(tokenListChangesCommand())
    .addCommand(tokenRevokeCommand());
}
