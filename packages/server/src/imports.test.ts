import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/**
 * Who may import whom: the table of ARCHITECTURE.md, and the packages of each place. A name that ends
 * with `/` is all that is below it, and `http/*.ts` the files of a folder without its folders. The
 * longest place that fits a file is its own.
 */
const mayImport: Record<string, string[]> = {
  'contract/': ['contract/', 'typebox', 'ajv'],
  'storage/': ['storage/', 'node:', 'kysely', 'pg'],
  'registry/': ['registry/', 'contract/', 'storage/', 'node:', '@resvg/resvg-js', 'sharp', 'uuidv7'],
  'http/': [
    'http/*.ts',
    'registry/',
    'contract/',
    'storage/failure.ts',
    'node:',
    '@fastify/busboy',
    'fastify',
    'marked',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'typebox',
  ],
  'http/identity-provider/': [
    'http/identity-provider/',
    'http/*.ts',
    'registry/',
    'contract/',
    'node:',
    'fastify',
    'jose',
    'openid-client',
    'pino',
  ],
  'http/public/': ['http/public/', 'http/*.ts', 'registry/', 'contract/', 'node:', 'fastify', 'typebox'],
  'http/operator/': [
    'http/operator/',
    'http/identity-provider/',
    'http/*.ts',
    'registry/',
    'contract/',
    'node:',
    'fastify',
    'typebox',
  ],
  'events/': ['events/', 'metrics/measured-gauge.ts', 'registry/', 'node:', 'pino', 'prom-client', 'standardwebhooks'],
  'metrics/': ['metrics/', 'registry/', 'node:', 'prom-client'],
  'config/': ['config/', 'node:'],
  'cli/': [
    'cli/',
    'registry/',
    'contract/',
    'config/',
    'storage/open-storage.ts',
    'storage/backup.ts',
    'storage/migrate.ts',
    'storage/failure.ts',
    'serve.ts',
    'end-signal.ts',
    'log.ts',
    'upkeep.ts',
    'version.ts',
    'node:',
    'commander',
    'sharp',
  ],
  'serve.ts': [
    'config/',
    'events/',
    'http/',
    'metrics/',
    'registry/',
    'storage/',
    'end-signal.ts',
    'log.ts',
    'upkeep.ts',
    'version.ts',
    'node:',
    'fastify',
    'pino',
  ],
  'end-signal.ts': ['config/env.ts', 'node:'],
  'log.ts': ['pino'],
  'upkeep.ts': ['registry/', 'pino'],
  'version.ts': ['node:'],
};

const root = fileURLToPath(new URL('.', import.meta.url));
/** Tests, and what only they use, may import anything. */
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file));

test('every import is one that the table of ARCHITECTURE.md allows', () => {
  const violations = files.flatMap((file) => importsOf(file).flatMap((imported) => violationOf(file, imported)));
  assert.deepEqual(violations, []);
});

test('every folder and every file beside them has a line in the table', () => {
  const homeless = files.filter((file) => placeOf(file) === undefined);
  assert.deepEqual(homeless, [], 'say in the table what may be imported there, here and in ARCHITECTURE.md');
});

test('the environment is read in config/env.ts alone', () => {
  const readers = files.filter((file) => /\bprocess\s*(\.|\[\s*['"])\s*env\b/.test(textOf(file)));
  assert.deepEqual(readers, ['config/env.ts'], 'read the environment through config/');
});

test('no line of the table is for something that is gone', () => {
  const unused = Object.keys(mayImport).filter((place) => !files.some((file) => fits(file, place)));
  assert.deepEqual(unused, []);
});

test('this test sees every way to import, and tells what is not allowed', () => {
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
  const imported = importsIn(source, 'registry/x.ts');
  assert.deepEqual(imported.toSorted(), [
    'cli/f.ts',
    'http/e.ts',
    'http/h.ts',
    'kysely',
    'node:fs',
    'pg',
    'registry/a.ts',
    'storage/b.ts',
  ]);
  const refused = imported.filter((name) => violationOf('registry/x.ts', name).length > 0);
  assert.deepEqual(refused.toSorted(), ['cli/f.ts', 'http/e.ts', 'http/h.ts', 'kysely', 'pg']);
  assert.equal(violationOf('http/public/x.ts', 'http/operator/y.ts').length, 1);
  assert.equal(violationOf('http/x.ts', 'http/public/y.ts').length, 1);
});

function importsOf(file: string): string[] {
  return importsIn(textOf(file), file);
}

/** What a source imports: packages by name, files by their path from `src/`. */
function importsIn(source: string, file: string): string[] {
  const specifiers = source.matchAll(/\b(?:from|import)\s*\(?\s*(?:'([^'\n]+)'|"([^"\n]+)")/g);
  return [...specifiers].map(([, single, double]) => {
    const specifier = single ?? double ?? '';
    return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier;
  });
}

function violationOf(file: string, imported: string): string[] {
  const place = placeOf(file);
  const allowed = mayImport[place ?? ''] ?? [];
  if (allowed.some((name) => fits(imported, name))) return [];
  return [`${file} imports ${imported}, and ${place} may import only ${allowed.join(', ')}`];
}

function placeOf(file: string): string | undefined {
  const places = Object.keys(mayImport).filter((place) => fits(file, place));
  return places.toSorted((one, other) => other.length - one.length)[0];
}

function fits(path: string, name: string): boolean {
  if (name.endsWith('/*.ts')) return dirname(path) === dirname(name);
  return name.endsWith('/') || name.endsWith(':') ? path.startsWith(name) : path === name;
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
