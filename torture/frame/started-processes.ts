import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const tailLengthMax = 20_000;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program in a process of its own, which ends with this process at the latest. */
export class StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** The last of what it has written. */
  tail = '';
  #hasEnded = false;

  constructor([command, ...args]: readonly [string, ...string[]], options: SpawnOptions = {}) {
    this.child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.tail = (this.tail + text).slice(-tailLengthMax);
      });
    }
    this.ended = once(this.child, 'exit').then(([status, signal]) => {
      running.delete(this.child);
      this.#hasEnded = true;
      return status ?? signal;
    });
    // Whoever waits for it is told; a command that does not exist must not end this process.
    this.ended.catch(() => {});
    this.pid = this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Enough of it to see why it has ended. */
  get lastWords(): string {
    return this.tail.slice(-1_500);
  }

  /** Sends a signal and resolves once it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    if (!this.#hasEnded) this.child.kill(signal);
    return this.ended;
  }

  /** Runs a command to its end, and answers what it has written. Throws unless it succeeds. */
  static async done(command: readonly [string, ...string[]], options: SpawnOptions = {}): Promise<string> {
    const program = new StartedProcess(command, options);
    const status = await program.ended;
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${program.tail}`);
    return program.tail;
  }
}
