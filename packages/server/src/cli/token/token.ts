import { Command } from 'commander';
import { tokenIssueCommand } from './issue.ts';
import { tokenRevokeCommand } from './revoke.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('Access tokens.')
    .addCommand(tokenIssueCommand())
    .addCommand(tokenRevokeCommand());
}
