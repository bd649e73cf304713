import { jsonOf, refusalOf } from '../programs/command-line.ts';
import type { Line } from './line.ts';
import type { Twin } from './parity.ts';
import type { Answered, ParityInterface } from './parity-interface.ts';

/** The command line. */
export class CommandLineInterface implements ParityInterface {
  readonly twin: Twin;
  readonly actor = 'command-line';

  constructor(twin: Twin) {
    this.twin = twin;
  }

  async ask({ command }: Line): Promise<Answered> {
    const said = await this.twin.cli.run(...command.map((text) => this.twin.names.meant(text)), '--json');
    if (said.status === 0) return { answer: jsonOf(said) };
    const { code, title, detail, errors } = refusalOf(said);
    return { refusal: { code, title, detail, ...(errors && { errors }) } };
  }
}
