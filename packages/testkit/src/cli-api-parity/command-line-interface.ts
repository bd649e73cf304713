import { jsonOf, refusalOf } from '../programs/command-line.ts';
import type { ParityCase } from './parity-case.ts';
import type { ParityInterface, Result } from './parity-interface.ts';
import type { ParityRegistry } from './parity-registry.ts';

/** The command line. */
export class CommandLineInterface implements ParityInterface {
  readonly target: ParityRegistry;
  readonly actor = 'command-line';

  constructor(target: ParityRegistry) {
    this.target = target;
  }

  async call({ command }: ParityCase): Promise<Result> {
    const { cli, names } = this.target;
    const result = await cli.run(...command.map((text) => names.replaceNames(text)), '--json');
    if (result.status === 0) return { response: jsonOf(result) };
    const { code, title, detail, errors } = refusalOf(result);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }
}
