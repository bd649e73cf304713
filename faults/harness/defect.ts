import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, type Span, type Statement } from 'oxc-parser';

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

/** Replaces text that occurs exactly once in a function, a method or a constant of a file of `packages/server/src`. */
interface Patch {
  file: string;
  /** Its name, with that of its class, such as `drain` or `Overload.accept`. */
  in: string;
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
  for (const { file, in: place, find, replace } of patches) {
    const text = files.get(file) ?? (await readFile(join(repositoryFolder, sourceFolder, file), 'utf8'));
    const { start, end } = placeIn(text, { file, place });
    const before = text.slice(start, end);
    const count = before.split(find).length - 1;
    if (count !== 1)
      throw new Error(`the defect ${name} does not apply: ${place} of ${file} has this text ${count} times: ${find}`);
    const after = before.replace(find, () => replace);
    files.set(file, text.slice(0, start) + after + text.slice(end));
  }
  return files;
}

/** Where a file declares something. */
function placeIn(text: string, { file, place }: { file: string; place: string }): Span {
  const [name = '', method] = place.split('.');
  const { body } = parseSync(file, text).program;
  const found = body.flatMap((statement) => declaredIn(statement).filter((one) => one.name === name));
  const [declared] = found;
  if (!declared || found.length > 1) throw new Error(`${file} declares ${name} ${found.length} times instead of once`);
  if (method === undefined) return declared.span;
  const methods = declared.methods.filter(({ key }) => text.slice(key.start, key.end) === method);
  if (methods.length !== 1) throw new Error(`${file} declares ${place} ${methods.length} times instead of once`);
  return methods[0] as Span;
}

interface Declared {
  name: string;
  span: Span;
  methods: (Span & { key: Span })[];
}

/** A function, a class, or the constants of a statement, with or without `export`. */
function declaredIn(statement: Statement): Declared[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' ? [{ name: id.name, span: statement, methods: [] }] : [],
    );
  }
  if (declaration?.type === 'ClassDeclaration' && declaration.id) {
    return [
      { name: declaration.id.name, span: statement, methods: declaration.body.body.filter((one) => 'key' in one) },
    ];
  }
  return declaration?.type === 'FunctionDeclaration' && declaration.id
    ? [{ name: declaration.id.name, span: statement, methods: [] }]
    : [];
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
