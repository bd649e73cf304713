// Makes dist/, which is published: a file for each program with all that it uses, and what the service serves.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import { operatorPages } from './src/http/operator/operator-docs.ts';
import { writeSbom } from './write-sbom.ts';

const folder = import.meta.dirname;
const source = join(folder, 'src');
const dist = join(folder, 'dist');
const repository = join(folder, '../..');
const docs = join(repository, 'docs');
/** They bring native code, of which npm chooses what fits the machine. */
const notBundled = ['sharp', '@resvg/resvg-js'];
/** Vite bundles them into the files of the console. */
const inConsole = ['preact', 'lucide', '@fontsource-variable/inter'].map(manifestOf);
const separator = `${'-'.repeat(80)}\n\n`;

rmSync(dist, { recursive: true, force: true });
const bundled: Metafile = { inputs: {}, outputs: {} };
// A command loads the chunks that it needs: parsing all of the program would take most of its time.
await bundle('cli/main.ts', { isSplit: true });
await bundle('features/logos/draw-image-process.ts', { isSplit: false });
write('package.json', '{ "type": "commonjs" }\n');
write('licenses.txt', `${licensesOf([...Object.keys(bundled.inputs), ...inConsole])}\n${separator}${unicodeLicense()}`);
await writeSbom(bundled, [...inConsole, ...notBundled.map(manifestOf)], join(dist, 'sbom.cdx.json'));
const commit = gitCommit();
if (commit) write('commit.txt', `${commit}\n`);
for (const page of ['interface.md', ...operatorPages]) cpSync(join(docs, page), join(dist, page));
cpSync(join(folder, '../console/dist'), join(dist, 'console'), { recursive: true });

async function bundle(entry: string, { isSplit }: { isSplit: boolean }): Promise<void> {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(source, entry)],
    outbase: source,
    outdir: dist,
    bundle: true,
    platform: 'node',
    target: 'node24',
    splitting: isSplit,
    chunkNames: `${dirname(entry)}/[name]-[hash]`,
    // Only ES modules can be split. They become CommonJS below.
    format: 'esm',
    external: [...notBundled, 'pg-native'],
    legalComments: 'none',
    plugins: [sourceLocations(dirname(entry))],
    metafile: true,
    write: false,
    absWorkingDir: folder,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    // An ES module that imports one of Node's has all that it could export made: a tenth of the memory.
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node24',
      // An `import()` of CommonJS parses the file twice, to find the names that it exports.
      supported: { 'dynamic-import': false },
    });
    write(relative(dist, path), code);
  }
  Object.assign(bundled.inputs, metafile.inputs);
  Object.assign(bundled.outputs, metafile.outputs);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  writeFileSync(join(dist, file), text);
}

/** The commit of the source, marked if tracked files differ from it; undefined outside of its repository. */
function gitCommit(): string | undefined {
  if (!existsSync(join(repository, '.git'))) return undefined;
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  try {
    return execFileSync('git', describe, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** A bundled module finds its neighbours in `dist/` as it does in `src/`, although the bundle is in the entry's folder. */
function sourceLocations(entryFolder: string): Plugin {
  return {
    name: 'source-locations',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const location = relative(join(source, entryFolder), path).replaceAll(sep, '/').replace(/\.ts$/, '.js');
        const filename = `require('node:path').join(__dirname, '${location}')`;
        const contents = readFileSync(path, 'utf8')
          .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${filename}).href`)
          .replaceAll('import.meta.filename', filename);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** The path of a package's `package.json` from this folder, as esbuild names the files that it bundles. */
function manifestOf(name: string): string {
  return relative(folder, findPackageJSON(name, import.meta.url) ?? '').replaceAll(sep, '/');
}

/** The licenses that the packages of these files require a copy of them to include. */
function licensesOf(files: string[]): string {
  const packages = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const licenses = packages.filter((path) => path !== undefined).map((path) => licenseOf(join(folder, path)));
  return [...new Set(licenses)].toSorted().join(`\n${separator}`);
}

/** The license of the data of look-alike characters. */
function unicodeLicense(): string {
  return `Unicode data\n\n${readFileSync(join(source, 'features/apps/comparison/unicode-license.txt'), 'utf8')}`;
}

function licenseOf(path: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: path });
  if (!license && !file) throw new Error(`what is the license of ${name}?`);
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), 'utf8') : ''}`;
}
