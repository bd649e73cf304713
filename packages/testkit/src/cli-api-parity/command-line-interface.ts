import { listCommands, nameOf } from '../../../server/src/cli/testing/list-commands.ts';
import { jsonOf, refusalOf } from '../programs/command-line.ts';
import { parityReason } from './id-names.ts';
import type { ParityCase } from './parity-case.ts';
import type { ParityInterface, Result } from './parity-interface.ts';
import type { ParityRegistry } from './parity-registry.ts';

/** The command line. Says who makes each change, and why unless the case does. */
export class CommandLineInterface implements ParityInterface {
  readonly target: ParityRegistry;
  readonly actor = 'command-line:parity';

  constructor(target: ParityRegistry) {
    this.target = target;
  }

  /** The reason that the events of a case hold. */
  reasonOf({ command }: ParityCase): string {
    const given = command.indexOf('--reason');
    return given < 0 ? parityReason : (command[given + 1] ?? '');
  }

  async call(parityCase: ParityCase): Promise<Result> {
    const { cli, names } = this.target;
    const { command } = parityCase;
    const why = command.includes('--reason') ? [] : ['--reason', this.reasonOf(parityCase)];
    const change = (await changingCommands()).has(command.slice(0, 2).join(' ')) ? ['--actor', 'parity', ...why] : [];
    const result = await cli.run(...command.map((text) => names.replaceNames(text)), ...change, '--json');
    if (result.status === 0) return { response: jsonOf(result) };
    const { code, title, detail, errors } = refusalOf(result);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }
}

async function changingCommands(): Promise<Set<string>> {
  const commands = (await listCommands()).filter(({ options }) => options.some(({ long }) => long === '--reason'));
  return new Set(commands.map(nameOf));
}
