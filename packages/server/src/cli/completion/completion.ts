import { Argument, Command } from 'commander';
import { example } from '../options.ts';
import { bashScript } from './bash-script.ts';
import { commandWords } from './command-words.ts';
import { fishScript } from './fish-script.ts';

const scripts = {
  bash: bashScript,
  // Through the bash compatibility layer of zsh.
  zsh: (words: Parameters<typeof bashScript>[0]) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: fishScript,
};
type Shell = keyof typeof scripts;

/** The completion scripts are built from the complete program, which `loadProgram` builds with all commands. */
export function completionCommand(loadProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .description('Print a script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      example(
        'eval "$(app-registry completion bash)"    # in ~/.bashrc',
        'eval "$(app-registry completion zsh)"     # in ~/.zshrc, after compinit',
        'app-registry completion fish | source     # in ~/.config/fish/config.fish',
      ),
    )
    .action(async function action(this: Command, shell: Shell) {
      const script = scripts[shell](commandWords(await loadProgram()));
      const { json } = this.optsWithGlobals();
      this.configureOutput().writeOut?.(json ? `${JSON.stringify({ shell, script })}\n` : script);
    });
}
