// Builds the package: ES modules in dist, CommonJS for projects that `require` it in dist/cjs, and the command, which
// alone may use Node.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
compile('tsconfig.build.json', out);
compile('tsconfig.command.json', out);
compile('tsconfig.cjs.json', join(out, 'cjs'));
// The package itself says `module`.
writeFileSync(join(out, 'cjs/package.json'), '{ "type": "commonjs" }\n');

function compile(project: string, folder: string): void {
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(import.meta.dirname, project), '--outDir', folder], {
    stdio: 'inherit',
  });
}
