import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from '../../src/config/env.ts';

export interface TerminalOptions {
  env: Record<string, string>;
  /** Part of what the program shows when it waits for input. */
  prompt: string;
  /** What is typed then. */
  input: () => string | Promise<string>;
}

/** Runs a program on a terminal of its own, with the `script` of util-linux. Returns its exit status and all that the terminal shows. */
export async function runOnTerminal(
  command: string[],
  { env, prompt, input }: TerminalOptions,
): Promise<{ status: number; screen: string }> {
  const terminal = spawn('script', ['--quiet', '--return', '--flush', '--command', quoted(command), '/dev/null'], {
    env: { PATH: environment.PATH, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let hasTyped = false;
  terminal.stdout.setEncoding('utf8').on('data', async (text: string) => {
    screen += text;
    if (hasTyped || !screen.includes(prompt)) return;
    hasTyped = true;
    terminal.stdin.write(await input());
  });
  const [status] = await once(terminal, 'close');
  return { status, screen: screen.replaceAll('\r\n', '\n') };
}

function quoted(command: string[]): string {
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
