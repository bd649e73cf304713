import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const repository = join(root, '../../..');

/**
 * Who may import whom: the rows of the table in ARCHITECTURE.md, by the files that they are about. A name that ends
 * with `/` is everything below it, `x/*.ts` the files of a folder without its folders, two stars any path before its end,
 * and any other a file or a package. The longest name that matches a file is its row.
 */
const mayImport = tableOf(readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8'));

/** Source files of one folder of the server; more are too many to see at once. */
const filesPerFolderMax = 15;

/** Tests may import anything. */
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

test('every import is allowed by the table in ARCHITECTURE.md', () => {
  const violations = files.flatMap((file) => importsOf(file).flatMap((imported) => violationOf(file, imported)));
  assert.deepEqual(violations, []);
});

test('every folder, and every file beside the folders, has a line in the table', () => {
  const missing = files.filter((file) => entryOf(file) === undefined);
  assert.deepEqual(missing, [], 'add a row to the table of ARCHITECTURE.md');
});

test(`no folder has more than ${filesPerFolderMax} source files`, () => {
  const perFolder = Map.groupBy(files, (file) => dirname(file));
  const tooMany = [...perFolder].filter(([, { length }]) => length > filesPerFolderMax);
  assert.deepEqual(
    tooMany.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  );
});

test('no two source files of the server have the same name', () => {
  const perName = Map.groupBy(files, (file) => basename(file));
  const shared = [...perName.values()].filter(({ length }) => length > 1);
  assert.deepEqual(shared, []);
});

test('no product file imports what tests share', () => {
  const importing = files.filter((file) =>
    importsOf(file).some((name) => /^@appregistrar\/testkit|^\.\.\/test\//.test(name)),
  );
  assert.deepEqual(importing, []);
});

test('no package has an import cycle, including type imports', () => {
  assert.deepEqual(cyclesIn(repositoryGraph()), []);
});

test('the environment is read only in config/env.ts', () => {
  const readers = files.filter((file) => /\bprocess\s*(\.|\[\s*['"])\s*env\b/.test(textOf(file)));
  assert.deepEqual(readers, ['config/env.ts'], 'read the environment through config/');
});

test('the wall clock is read directly only to pass on, log or compare a time, never to measure a duration', () => {
  const readers = files.filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(textOf(file)));
  assert.deepEqual(readers.toSorted(), [
    'cli/commands/database-commands.ts',
    'cli/commands/webhook-listen-command.ts',
    'features/settings/settings.ts',
    'http/identity-provider/identity-provider.ts',
    'storage/postgres/postgres-storage.ts',
  ]);
});

test('the marketplace reaches the registry only through its client and its command line', () => {
  const folder = join(repository, 'examples/marketplace');
  const parts = globSync('**/*.ts', { cwd: folder, exclude: ['node_modules/**', 'dist/**', 'e2e/**'] });
  const shortcuts = parts.filter((file) =>
    /from '(?:(?:\.\.\/)+packages\/|@appregistrar\/(?!client))/.test(readFileSync(join(folder, file), 'utf8')),
  );
  assert.ok(parts.includes('portal/main.ts'), 'its parts are found');
  assert.deepEqual(shortcuts, []);
});

test('every line of the table describes something that exists', () => {
  const unused = Object.keys(mayImport).filter((entry) => !files.some((file) => matches(file, entry)));
  assert.deepEqual(unused, []);
  assert.ok(Object.keys(mayImport).length > 0, 'the table is found');
});

test('every form of import is detected, and one that the table does not allow is reported', () => {
  const source = [
    `import { a } from './a.ts';`,
    `import type { b } from '../storage/b.ts';`,
    `import {\n  c,\n  d,\n} from "kysely";`,
    `import '../http/e.ts';`,
    `export { f } from '../cli/f.ts';`,
    `export * from 'node:fs';`,
    `const g = await import('pg');`,
    `type H = import('../http/h.ts').H;`,
  ].join('\n');
  const imported = importsIn(source, 'features/x.ts');
  assert.deepEqual(imported.toSorted(), [
    'cli/f.ts',
    'features/a.ts',
    'http/e.ts',
    'http/h.ts',
    'kysely',
    'node:fs',
    'pg',
    'storage/b.ts',
  ]);
  const refused = imported.filter((name) => violationOf('features/x.ts', name).length > 0);
  assert.deepEqual(refused.toSorted(), ['cli/f.ts', 'http/e.ts', 'http/h.ts', 'kysely', 'pg']);
  assert.equal(violationOf('http/public/x.ts', 'http/operator/y.ts').length, 1);
  assert.equal(violationOf('http/body/x.ts', 'http/public/y.ts').length, 1);
  assert.equal(violationOf('kernel/x.ts', 'config/y.ts').length, 1);
  assert.equal(violationOf('features/apps/x.ts', 'features/logos/y.ts').length, 0);
  assert.equal(violationOf('features/logos/x.ts', 'features/apps/y.ts').length, 1);
  assert.equal(violationOf('features/apps/x-queries.ts', 'kysely').length, 0);
  assert.equal(violationOf('storage/sqlite/x.ts', 'storage/postgres/y.ts').length, 1);
  assert.equal(violationOf('features/apps/x.ts', 'storage/sqlite/y.ts').length, 1);
});

test('a cycle is reported with every file of it', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
    ['e', ['e']],
  ]);
  assert.deepEqual(cyclesIn(graph), [['a', 'b', 'c'], ['e']]);
});

function tableOf(page: string): Record<string, string[]> {
  const [, table = ''] = /\n\| in \| may import \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').slice(1, 3).map(namesIn));
  return Object.fromEntries(rows.flatMap(([files = [], imported = []]) => files.map((file) => [file, imported])));
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function importsOf(file: string): string[] {
  return importsIn(textOf(file), file);
}

/** What a source imports: packages by name, files by their path from `src/`. */
function importsIn(source: string, file: string): string[] {
  const specifiers = source.matchAll(/\b(?:from|import)\s*\(?\s*(?:'([^'\n]+)'|"([^"\n]+)")/g);
  return [...specifiers].map(([, single, double]) => {
    const specifier = single ?? double ?? '';
    if (specifier.startsWith('.')) return join(dirname(file), specifier);
    // A package that exports nothing else names its files by path.
    return specifier.replace(/\/dist\/.*/, '');
  });
}

function violationOf(file: string, imported: string): string[] {
  const entry = entryOf(file) ?? '';
  const allowed = mayImport[entry] ?? [];
  if (entryOf(imported) === entry || allowed.some((name) => matches(imported, name))) return [];
  return [`${file} imports ${imported}; ${entry} may import only itself, ${allowed.join(', ')}`];
}

function entryOf(path: string): string | undefined {
  const entries = Object.keys(mayImport).filter((entry) => matches(path, entry));
  return entries.toSorted((one, other) => other.length - one.length)[0];
}

function matches(path: string, name: string): boolean {
  const [folder, end] = name.split('**/*');
  if (end !== undefined) return path.startsWith(folder ?? '') && path.endsWith(end);
  if (name.endsWith('/*.ts')) return dirname(path) === dirname(name);
  return name.endsWith('/') || name.endsWith(':') ? path.startsWith(name) : path === name;
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Every TypeScript file of the repository with the files that it imports. */
function repositoryGraph(): Map<string, string[]> {
  const paths = globSync('{packages,bench,faults,scripts}/**/*.{ts,tsx}', {
    cwd: repository,
    exclude: ['**/node_modules', '**/dist'],
  });
  return new Map(
    paths.map((path) => {
      const imported = importsIn(readFileSync(join(repository, path), 'utf8'), path);
      return [
        path,
        imported.map((name) => name.replace(/^@appregistrar\/testkit\/(.*)$/, 'packages/testkit/src/$1.ts')),
      ];
    }),
  );
}

/** The strongly connected components of a graph that have an edge inside (Tarjan). */
function cyclesIn(graph: Map<string, string[]>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles;

  function visit(node: string): number {
    let low = index.size;
    index.set(node, low);
    const depth = stack.push(node) - 1;
    const targets = graph.get(node) ?? [];
    for (const target of targets) {
      if (!graph.has(target)) continue;
      if (!index.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, index.get(target) ?? low);
    }
    if (low !== index.get(node)) return low;
    const component = stack.splice(depth);
    if (component.length > 1 || targets.includes(node)) cycles.push(component.toSorted());
    return low;
  }
}
