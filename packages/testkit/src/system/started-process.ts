import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileTail } from './file-tail.ts';

const outputLengthMax = 20_000;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface StartedProcessOptions extends Omit<SpawnOptions, 'stdio'> {
  /** A file that its output is appended to. Reading a pipe would cost this process time. */
  outputFile?: string;
  /** A file or named pipe that only its standard output is appended to. Its output here is then standard error. */
  stdoutFile?: string;
}

/** A child process, killed at the latest when this process exits. */
export class StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #outputFile: string | undefined;
  #output = '';
  #hasEnded = false;

  constructor(
    [command, ...args]: readonly [string, ...string[]],
    { outputFile, stdoutFile, ...options }: StartedProcessOptions = {},
  ) {
    this.#outputFile = outputFile;
    const output = outputFile === undefined ? 'pipe' : openSync(outputFile, 'a');
    const stdout = stdoutFile === undefined ? output : openSync(stdoutFile, 'a');
    this.child = spawn(command, args, { ...options, stdio: ['ignore', stdout, output] });
    for (const file of new Set([stdout, output])) if (typeof file === 'number') closeSync(file);
    running.add(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-outputLengthMax);
      });
    }
    this.ended = once(this.child, 'exit').then(([status, signal]) => {
      running.delete(this.child);
      this.#hasEnded = true;
      return status ?? signal;
    });
    // Callers that await `ended` get the error of a missing command, which must not end this process.
    this.ended.catch(() => {});
    this.pid = this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The end of its output. */
  get output(): string {
    return this.#outputFile === undefined ? this.#output : fileTail(this.#outputFile, outputLengthMax);
  }

  /** Enough of its output to see why it has ended. */
  get lastOutput(): string {
    return this.output.slice(-1_500);
  }

  /** Sends a signal and resolves once it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    if (!this.#hasEnded) this.child.kill(signal);
    return this.ended;
  }

  /** Runs a command to its end, and returns its output. Throws unless it succeeds. */
  static async run(command: readonly [string, ...string[]], options: StartedProcessOptions = {}): Promise<string> {
    const started = new StartedProcess(command, options);
    const status = await started.ended;
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${started.output}`);
    return started.output;
  }
}
