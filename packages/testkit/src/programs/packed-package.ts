import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../../server/src/config/env.ts';
import type { CommandResult } from './command-line.ts';
import { Program, shellPath } from './program.ts';

const packagesFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** The environment of a user without this repository, with the Node that the repository runs on. */
export const userEnvironment = {
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(npm|NODE_TEST)_/i.test(name))),
  PATH: [dirname(process.execPath), ...shellPath].join(delimiter),
} as Record<string, string>;

type Command = [string, ...string[]];

/** A package as npm packs it, installed in a new folder outside the repository. */
export class PackedPackage {
  readonly folder: string;
  readonly version: string;

  /** `options` are passed to `npm install`. */
  static async install(name: 'client' | 'server', ...options: string[]): Promise<PackedPackage> {
    const source = join(packagesFolder, name);
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'packed-')));
    const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
    const packed = new PackedPackage(folder, version);
    try {
      await run(['npm', 'pack', '--pack-destination', folder], source);
      const [tarball] = await readdir(folder);
      await packed.write('package.json', '{ "private": true, "type": "module" }\n');
      await packed.run('npm', 'install', ...options, `./${tarball}`);
    } catch (error) {
      await packed.remove();
      throw error;
    }
    return packed;
  }

  private constructor(folder: string, version: string) {
    this.folder = folder;
    this.version = version;
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(join(this.folder, file), text);
  }

  /** Starts a program in the folder. */
  start(command: Command, env: Record<string, string> = {}): Program {
    return new Program(command, { env: { ...userEnvironment, ...env }, cwd: this.folder });
  }

  /** Runs a program in the folder, and returns its standard output. Throws, with all its output, when it fails. */
  run(...command: Command): Promise<string> {
    return run(command, this.folder);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

async function run(command: Command, cwd: string): Promise<string> {
  const result: CommandResult = await Program.run(command, { env: userEnvironment, cwd });
  assert.equal(result.status, 0, `${command.join(' ')}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}
