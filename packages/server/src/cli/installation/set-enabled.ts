import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function installationEnableCommand(): Command {
  return setEnabled('enable', 'enableInstallation').description('Enable an installation.');
}

export function installationDisableCommand(): Command {
  return setEnabled('disable', 'disableInstallation').description('Disable an installation without deleting it.');
}

function setEnabled(name: string, operation: 'enableInstallation' | 'disableInstallation'): Command {
  const command = new Command(name).argument('<id>', 'the installation id');
  return changeOptions(command)
    .addHelpText('after', example(`app-registry installation ${name} installation_01jq3w3k1hf5tr8z0v6n2m9c4d`))
    .action(operationAction((run, { args: [id = ''] }) => run(operation, { params: { id } })));
}
