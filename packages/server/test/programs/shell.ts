import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ShellOptions {
  /** The complete environment of its commands. */
  env: Record<string, string>;
  cwd: string;
}

/** An interactive shell: variables and the working directory persist from one block of commands to the next. */
export class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #cwd: string;
  readonly #ended: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';
  #blocks = 0;

  constructor({ env, cwd }: ShellOptions) {
    // With job control, as in a terminal: `kill %1` reaches every process of the job.
    this.#process = spawn('bash', ['-m'], { env, cwd });
    this.#cwd = cwd;
    this.#ended = once(this.#process, 'close');
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    // After a failed command the shell accepts no more input.
    this.#process.stdin.on('error', () => {});
    this.#process.stdin.write(`set -euo pipefail\ntrap 'jobs -p | xargs -r kill' EXIT\n`);
  }

  /** Runs commands, and returns their standard output. Throws, with all output, when one of them fails. */
  async run(commands: string): Promise<string> {
    this.#blocks += 1;
    const file = join(this.#cwd, `.block-${this.#blocks}`);
    await writeFile(file, commands);
    const mark = `-- end of block ${this.#blocks}`;
    this.#process.stdin.write(`. ${file} < /dev/null; printf '\\n%s\\n' '${mark}'\n`);
    let stdout = '';
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) {
        await this.#ended;
        throw new Error(`a command failed:\n${commands}\n${stdout}${this.#stderr}`);
      }
      if (value === mark) return stdout;
      stdout += `${value}\n`;
    }
  }

  async close(): Promise<void> {
    this.#process.stdin.end();
    await this.#ended;
  }
}
