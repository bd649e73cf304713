import { Command } from 'commander';
import { setInstallationEnabled } from '../../registry/installations/set-installation-enabled.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function installationEnableCommand(): Command {
  return setEnabled('enable', true).description('Enable an installation.');
}

export function installationDisableCommand(): Command {
  return setEnabled('disable', false).description('Disable an installation without deleting it.');
}

function setEnabled(name: string, enabled: boolean): Command {
  const command = new Command(name).argument('<id>', 'the installation id');
  return changeOptions(command)
    .addHelpText('after', example(`app-registry installation ${name} installation_01jq3w3k1hf5tr8z0v6n2m9c4d`))
    .action(
      registryAction((registry, { args: [id = ''], caller }) =>
        setInstallationEnabled(registry, caller, { id, enabled }),
      ),
    );
}
