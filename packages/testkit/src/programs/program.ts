import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../../server/src/config/env.ts';
import type { CommandResult } from './command-line.ts';
import { compileCache } from './compile-cache.ts';

const repositoryFolder = fileURLToPath(new URL('../../../..', import.meta.url));
/** Fails a test that waits in vain. */
const waitMsMax = 100_000;
let cachedShellNode: string | undefined;

/** The path of an ordinary shell: without the folders that npm adds for its scripts. */
export const shellPath = (environment.PATH ?? '').split(delimiter).filter((folder) => !isOfNpm(folder));

/** The command that `npm ci` links. */
export const linkedLauncher = join(repositoryFolder, 'node_modules/.bin/app-registry');

export interface ProgramOptions {
  /** Its environment, apart from `PATH`, `TMPDIR` and the compile cache. */
  env?: Record<string, string>;
  cwd?: string;
  /** The user and group that run it; a test that gives them runs as root. */
  uid?: number;
  gid?: number;
}

/** A child process, started as a shell would start it. */
export class Program {
  readonly process: ChildProcess;
  /** Resolves once it has ended, and with it every process that holds its output. */
  readonly ended: Promise<CommandResult & { signal: NodeJS.Signals | null }>;
  stdout = '';
  stderr = '';

  /** Runs a program to its end. */
  static run([command, ...args]: [string, ...string[]], options?: ProgramOptions): Promise<CommandResult> {
    return new Program([command, ...args], options).ended;
  }

  constructor([command, ...args]: [string, ...string[]], { env = {}, ...options }: ProgramOptions = {}) {
    this.process = spawn(command, args, {
      env: { PATH: [dirname(shellNode()), ...shellPath].join(delimiter), TMPDIR: tmpdir(), ...compileCache, ...env },
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.process, 'close').then(([status, signal]) => ({
      status,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Resolves once `find` finds something in the standard output. */
  async until<Found>(find: (stdout: string) => Found | null | undefined): Promise<Found> {
    const deadline = AbortSignal.any([AbortSignal.timeout(waitMsMax), this.#closed()]);
    for (;;) {
      const found = find(this.stdout);
      if (found !== null && found !== undefined) return found;
      await once(this.process.stdout ?? this.process, 'data', { signal: deadline }).catch(() => {
        throw new Error(`the expected output did not appear:\n${this.stdout}${this.stderr}`);
      });
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  #closed(): AbortSignal {
    const controller = new AbortController();
    void this.ended.then(() => controller.abort());
    return controller.signal;
  }
}

/**
 * A Node that is too old for the program: one of this machine if there is one, otherwise the Node that runs the
 * tests, made to report an old version.
 */
export function olderNode(): [string, ...string[]] {
  const node = shellNode();
  if (isTooOld(node)) return [node];
  const versions = '{value:{...process.versions,node:"20.19.0"}}';
  return [node, '--import', `data:text/javascript,Object.defineProperty(process,"versions",${versions})`];
}

/** A copy of the package in a copy of its surroundings, to modify and run. */
export async function copyPackage({ withDependencies }: { withDependencies: boolean }) {
  const root = await mkdtemp(join(tmpdir(), 'package-'));
  for (const part of ['packages/server', 'docs']) {
    const filter = (path: string) => basename(path) !== 'dist';
    await cp(join(repositoryFolder, part), join(root, part), { recursive: true, filter });
  }
  if (withDependencies) await symlink(join(repositoryFolder, 'node_modules'), join(root, 'node_modules'));
  return { folder: join(root, 'packages/server'), remove: () => rm(root, { recursive: true }) };
}

function shellNode(): string {
  cachedShellNode ??= findShellNode();
  return cachedShellNode;
}

/** The Node that a shell finds. Of several, prefers one that is too old. */
function findShellNode(): string {
  const found = shellPath.map((folder) => join(folder, 'node')).filter((path) => existsSync(path));
  return found.find(isTooOld) ?? found[0] ?? process.execPath;
}

function isTooOld(node: string): boolean {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(version)?.[1]) < 24;
}

function isOfNpm(folder: string): boolean {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  return `${folder}${sep}${real}`.split(sep).includes('node_modules');
}
