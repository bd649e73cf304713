import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url));
const sourceFolder = 'packages/server/src';
const mainFile = 'cli/main.ts';

/** A deliberate defect: a service that has it breaks a promise. */
export interface Mutant {
  name: string;
  /** The defect in words. */
  what: string;
  patches: Patch[];
  /** What the program runs with to catch it, where that is not its short version. */
  options?: Record<string, number | string>;
}

/** A replacement of text that stands exactly once in a file of `packages/server/src`. */
interface Patch {
  file: string;
  find: string;
  replace: string;
}

/** The program of the service, as Node runs it. */
export interface Source {
  main: string;
  remove(): Promise<void>;
}

export const ownSource: Source = {
  main: join(repositoryFolder, sourceFolder, mainFile),
  remove: async () => {},
};

/** A copy of the server with the defect in it. Throws when the source no longer has what a patch replaces. */
export async function mutatedSource(mutant: Mutant): Promise<Source> {
  const files = await mutatedFiles(mutant);
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    await copyServer(folder);
    for (const [file, text] of files) await writeFile(join(folder, sourceFolder, file), text);
    return { main: join(folder, sourceFolder, mainFile), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What the files that it changes have then. Throws when the source no longer has what a patch replaces. */
export async function mutatedFiles({ name, patches }: Mutant): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { file, find, replace } of patches) {
    const text = files.get(file) ?? (await readFile(join(repositoryFolder, sourceFolder, file), 'utf8'));
    const count = text.split(find).length - 1;
    if (count !== 1)
      throw new Error(`the mutant ${name} cannot be made: ${file} has ${count} times, not once: ${find}`);
    files.set(
      file,
      text.replace(find, () => replace),
    );
  }
  return files;
}

/** The server is copied; what it reads beside itself is where it was. */
async function copyServer(folder: string): Promise<void> {
  await mkdir(join(folder, 'packages'));
  await cp(join(repositoryFolder, 'packages/server'), join(folder, 'packages/server'), {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|[^/]+\.test\.ts)$/.test(path),
  });
  for (const name of ['docs', 'node_modules', 'package.json', 'packages/console']) {
    await symlink(join(repositoryFolder, name), join(folder, name));
  }
}
