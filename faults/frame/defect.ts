import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url));
const sourceFolder = 'packages/server/src';
const mainFile = 'cli/main.ts';

/** A deliberate defect, with which the service breaks a guarantee. */
export interface Defect {
  name: string;
  /** The defect in words. */
  what: string;
  patches: Patch[];
  /** The options that the program needs to catch it; by default those of its short version. */
  options?: Record<string, number | string>;
}

/** Replaces text that occurs exactly once in a file of `packages/server/src`. */
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

/** A copy of the server with the defect. Throws if a patch no longer applies. */
export async function defectiveSource(defect: Defect): Promise<Source> {
  const files = await defectiveFiles(defect);
  const folder = await mkdtemp(join(tmpdir(), 'defect-'));
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

/** The patched text of each file that a defect changes. Throws if a patch no longer applies. */
export async function defectiveFiles({ name, patches }: Defect): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { file, find, replace } of patches) {
    const text = files.get(file) ?? (await readFile(join(repositoryFolder, sourceFolder, file), 'utf8'));
    const count = text.split(find).length - 1;
    if (count !== 1)
      throw new Error(
        `the defect ${name} does not apply: ${file} contains this text ${count} times instead of once: ${find}`,
      );
    files.set(
      file,
      text.replace(find, () => replace),
    );
  }
  return files;
}

/** Copies the server, and links what it reads outside its package. */
async function copyServer(folder: string): Promise<void> {
  await mkdir(join(folder, 'packages'));
  await cp(join(repositoryFolder, 'packages/server'), join(folder, 'packages/server'), {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|[^/]+\.test\.ts)$/.test(path),
  });
  for (const name of ['docs', 'node_modules', 'package.json', 'packages/client', 'packages/console']) {
    await symlink(join(repositoryFolder, name), join(folder, name));
  }
}
