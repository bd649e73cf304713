import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const repository = join(import.meta.dirname, '../../..');
/** The samples are compiled with the clients that their test generates. */
const ignored = ['**/node_modules', '**/dist', '.git', 'packages/client/src/generators/testing/samples'];

interface Project {
  references?: { path: string }[];
}

test('each TypeScript file belongs to one project that npm run types checks', () => {
  const files = projectsOf('tsconfig.json')
    .flatMap(filesOf)
    .filter((file) => !file.endsWith('.json'));
  assert.deepEqual(
    files.toSorted(),
    globSync('**/*.{ts,tsx,mts,cts}', { cwd: repository, exclude: ignored }).toSorted(),
  );
});

/** The configurations that one refers to, directly or through another. */
function projectsOf(config: string, found = new Set<string>()): string[] {
  const { references = [] } = JSON.parse(readFileSync(join(repository, config), 'utf8')) as Project;
  for (const { path } of references) {
    const referred = join(dirname(config), path.endsWith('.json') ? path : join(path, 'tsconfig.json'));
    if (found.has(referred)) continue;
    found.add(referred);
    projectsOf(referred, found);
  }
  return [...found];
}

function filesOf(config: string): string[] {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const shown = execFileSync(process.execPath, [compiler, '--project', join(repository, config), '--showConfig']);
  const { files } = JSON.parse(String(shown)) as { files: string[] };
  return files.map((file) => relative(repository, join(repository, dirname(config), file)));
}
