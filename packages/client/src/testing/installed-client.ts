import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
export const clientFolder = join(repository, 'packages/client');

/** A project with the built package installed. */
export class InstalledClient {
  readonly #project: string;

  static async create(): Promise<InstalledClient> {
    const client = new InstalledClient(await mkdtemp(join(tmpdir(), 'app-registry-client-')));
    await mkdir(client.#package(), { recursive: true });
    await cp(join(clientFolder, 'package.json'), client.#package('package.json'));
    await symlink(join(repository, 'node_modules/@types'), join(client.#project, 'node_modules/@types'));
    await run(join(clientFolder, 'build.ts'), '--out', client.#package('dist'));
    return client;
  }

  private constructor(project: string) {
    this.#project = project;
  }

  remove(): Promise<void> {
    return rm(this.#project, { recursive: true });
  }

  /** The code and type files of the package, by path. */
  async files(): Promise<Map<string, string>> {
    const names = await readdir(this.#package('dist'), { recursive: true });
    const read = async (name: string) => [name, await readFile(this.#package('dist', name), 'utf8')] as const;
    return new Map(await Promise.all(names.filter((name) => name.endsWith('.ts') || name.endsWith('.js')).map(read)));
  }

  async write(file: string, code: string): Promise<void> {
    await writeFile(join(this.#project, file), code);
  }

  /** Installs a package of the repository too. */
  async link(name: string): Promise<void> {
    await symlink(join(repository, 'node_modules', name), join(this.#project, 'node_modules', name));
  }

  /** Type-checks files of the project. Throws with the errors of the compiler. */
  async check(files: string | readonly string[], ...options: string[]): Promise<void> {
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    await tsc(...strict, ...options, ...[files].flat().map((file) => join(this.#project, file)));
  }

  /** Imports a file of the project and returns its exports. */
  load(file: string): Promise<unknown> {
    return import(pathToFileURL(join(this.#project, file)).href);
  }

  #package(...path: string[]): string {
    return join(this.#project, 'node_modules/@appregistrar/client', ...path);
  }
}

function tsc(...options: string[]): Promise<void> {
  return run(join(repository, 'node_modules/typescript/bin/tsc'), ...options);
}

async function run(program: string, ...options: string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [program, ...options], (error, stdout) =>
      error ? reject(new Error(`${program} ${options.join(' ')}\n${stdout}`)) : resolve(),
    );
  });
}
