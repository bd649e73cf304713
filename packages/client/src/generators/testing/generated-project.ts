import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { userEnvironment } from '@appregistrar/testkit/programs/packed-package';
import { Program } from '@appregistrar/testkit/programs/program';
import { build } from 'esbuild';
import type { GeneratedClient, RegistryAccess } from './generated-client.ts';

const testing = fileURLToPath(new URL('.', import.meta.url));
const compiler = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url));
const page = new URL('../../../../../docs/generated-clients.md', import.meta.url);
/** `npx` installs without a question, and from the cache of npm what that has. */
const npmOptions = { npm_config_yes: 'true', npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

interface Sample {
  connect(access: RegistryAccess): GeneratedClient;
}

/** A project of someone who generates clients by `docs/generated-clients.md`. */
export class GeneratedProject {
  readonly #folder: string;

  /** Runs the commands of a section. */
  static async create(section: string, env: Record<string, string>): Promise<GeneratedProject> {
    const project = new GeneratedProject(await mkdtemp(join(tmpdir(), 'generated-')));
    try {
      const text = await readFile(page, 'utf8');
      await project.#write('package.json', '{ "private": true, "type": "module" }\n');
      const files = [...filesOf(text, section), ...filesOf(text, 'What to know')];
      for (const [file, code] of files) await project.#write(file, code);
      const commands = [...shellBlocksOf(text, 'Get the documents'), ...shellBlocksOf(text, section)].join('');
      await project.#run(['bash', '-euo', 'pipefail', '-c', commands], { ...npmOptions, ...env });
    } catch (error) {
      await project.remove();
      throw error;
    }
    return project;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Compiles a sample with what was generated, and the code of the page. */
  async compile(sample: string, options: object): Promise<void> {
    await cp(join(testing, 'generated-client.ts'), this.#path('src/generated-client.ts'));
    await cp(join(testing, 'samples/labels.ts'), this.#path('src/labels.ts'));
    await cp(join(testing, `samples/${sample}.ts`), this.#path('src/sample.ts'));
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      ...options,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
    };
    await this.#write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    await this.#run([process.execPath, compiler]);
  }

  /** Loads the sample into this process. */
  async load(): Promise<Sample> {
    const outfile = this.#path('sample.mjs');
    await build({
      entryPoints: [this.#path('src/sample.ts')],
      bundle: true,
      format: 'esm',
      outfile,
      logLevel: 'error',
    });
    return import(pathToFileURL(outfile).href);
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }

  #path(...path: string[]): string {
    return join(this.#folder, ...path);
  }

  async #write(file: string, text: string): Promise<void> {
    await mkdir(dirname(this.#path(file)), { recursive: true });
    await writeFile(this.#path(file), text);
  }

  async #run(command: [string, ...string[]], env: Record<string, string> = {}): Promise<void> {
    const options = { env: { ...userEnvironment, ...env }, cwd: this.#folder };
    const { status, stdout, stderr } = await Program.run(command, options);
    assert.equal(status, 0, `${command.join(' ')}\n${stdout}${stderr}`);
  }
}

/** The files that a section shows: blocks that begin with the path of the file. */
function filesOf(text: string, section: string): [string, string][] {
  return blocksOf(text, section, 'ts').map((code) => [/^\/\/ (\S+)/.exec(code)?.[1] ?? assert.fail(code), code]);
}

function shellBlocksOf(text: string, section: string): string[] {
  const blocks = blocksOf(text, section, 'sh');
  assert.notDeepEqual(blocks, [], `the page has commands under "${section}"`);
  return blocks;
}

function blocksOf(text: string, section: string, language: string): string[] {
  const found = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const blocks = [...found.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.filter(([, named]) => named === language).map(([, , code = '']) => code);
}
