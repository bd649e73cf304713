import { Command } from 'commander';
import { tokenIssueCommand } from './issue.ts';
import { tokenListCommand } from './list.ts';
import { tokenRevokeCommand } from './revoke.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('Access tokens.')
    .addCommand(tokenIssueCommand())
    .addCommand(tokenListCommand())
    .addCommand(tokenRevokeCommand());
}
