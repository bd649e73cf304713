import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url));

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
  main: join(repositoryFolder, 'packages/server/src/cli/main.ts'),
  remove: async () => {},
};

/** A copy of the server with the defect in it. Throws when the source no longer has what a patch replaces. */
export async function mutatedSource({ name, patches }: Mutant): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    await copyServer(folder);
    for (const patch of patches) await apply(patch, join(folder, 'packages/server/src'));
    return { main: join(folder, 'packages/server/src/cli/main.ts'), remove };
  } catch (error) {
    await remove();
    throw new Error(`the mutant ${name} cannot be made`, { cause: error });
  }
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

async function apply({ file, find, replace }: Patch, folder: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} has this ${count} times and not once: ${find}`);
  await writeFile(
    path,
    text.replace(find, () => replace),
  );
}
