import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { environment } from '../../packages/server/src/config/env.ts';

export interface ExecuteOptions {
  cwd: string;
  env?: Record<string, string>;
}

/** Runs a program to its end, and returns what it printed. Throws, with its errors, if it fails. */
export function execute([program, ...args]: [string, ...string[]], { cwd, env }: ExecuteOptions): string {
  return execFileSync(program, args, {
    cwd,
    env: { ...withoutNpm, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

export function git(repository: string, ...args: string[]): string {
  return execute(['git', '-C', repository, ...args], { cwd: repository });
}

/** Runs a program on the Node and with the tools that a repository has installed. */
export function executeIn(repository: string, command: [string, ...string[]], cwd = repository): string {
  const path = [join(repository, 'node_modules/.bin'), environment.PATH].join(delimiter);
  return execute(command, { cwd, env: { PATH: path } });
}

/** An npm that a script of npm starts would read the settings of the first as its own. */
const withoutNpm = Object.fromEntries(
  Object.entries(environment).filter(([name, value]) => value !== undefined && !/^(npm|NODE_TEST)_/i.test(name)),
) as Record<string, string>;
