// Builds the package: ES modules in dist, CommonJS for projects that `require` it in dist/cjs, and the command, which
// alone may use Node. Both have the declarations of CommonJS, which an ES module can import but not the other way round.
// They keep the doc comments, the programs do not.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
const commonFolder = join(out, 'cjs');
rmSync(out, { recursive: true, force: true });
compile('tsconfig.build.json', out);
compile('tsconfig.command.json', out);
compile('tsconfig.cjs.json', commonFolder);
compile('tsconfig.cjs.json', commonFolder, '--declaration', '--emitDeclarationOnly', '--removeComments', 'false');
// The package itself says `module`.
writeFileSync(join(commonFolder, 'package.json'), '{ "type": "commonjs" }\n');
const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
for (const entry of Object.values<{ import?: { types: string } }>(exports)) {
  const name = entry.import?.types.replace('./dist/', '');
  if (!name) continue;
  const toRoot = '../'.repeat(name.split('/').length - 1) || './';
  writeFileSync(join(out, name), `export * from '${toRoot}cjs/${name.replace('.d.ts', '.js')}';\n`);
}

function compile(project: string, folder: string, ...options: string[]): void {
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const projectFile = join(import.meta.dirname, project);
  execFileSync(process.execPath, [compiler, '-p', projectFile, '--outDir', folder, ...options], { stdio: 'inherit' });
}
