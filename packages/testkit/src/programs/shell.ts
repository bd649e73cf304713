import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ShellOptions {
  /** All that its commands find in their environment. */
  env: Record<string, string>;
  cwd: string;
}

/** One shell, as a person uses it: variables and the folder stay from one block of commands to the next. */
export class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #cwd: string;
  readonly #ended: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  #complaints = '';
  #blocks = 0;

  constructor({ env, cwd }: ShellOptions) {
    // With jobs, as in a terminal: `kill %1` reaches all that the job has started.
    this.#process = spawn('bash', ['-m'], { env, cwd });
    this.#cwd = cwd;
    this.#ended = once(this.#process, 'close');
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text;
    });
    // A shell in which a command has failed takes no more.
    this.#process.stdin.on('error', () => {});
    this.#process.stdin.write(`set -euo pipefail\ntrap 'jobs -p | xargs -r kill' EXIT\n`);
  }

  /** Answers what the commands print. Throws, with all that was said, when one of them fails. */
  async run(commands: string): Promise<string> {
    this.#blocks += 1;
    const file = join(this.#cwd, `.block-${this.#blocks}`);
    await writeFile(file, commands);
    const mark = `-- end of block ${this.#blocks}`;
    this.#process.stdin.write(`. ${file} < /dev/null; printf '\\n%s\\n' '${mark}'\n`);
    let said = '';
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) {
        await this.#ended;
        throw new Error(`a command failed:\n${commands}\n${said}${this.#complaints}`);
      }
      if (value === mark) return said;
      said += `${value}\n`;
    }
  }

  async close(): Promise<void> {
    this.#process.stdin.end();
    await this.#ended;
  }
}
