// Makes dist/, which is published: the program with all that it uses in two files, and what it serves.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const folder = import.meta.dirname;
const source = join(folder, 'src');
const dist = join(folder, 'dist');
const docs = join(folder, '../../docs');
/** They bring native code, of which npm chooses what fits the machine. */
const notBundled = ['sharp', '@resvg/resvg-js'];

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['cli/main.ts', 'registry/draw-svg-process.ts'].map((file) => join(source, file)),
  outbase: source,
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module that imports one of Node's has all that it could export made: a tenth of the memory.
  format: 'cjs',
  external: [...notBundled, 'pg-native'],
  legalComments: 'none',
  plugins: [placesOfSource()],
  metafile: true,
  absWorkingDir: folder,
  logLevel: 'warning',
});
write('package.json', '{ "type": "commonjs" }\n');
write('licenses.txt', licensesOf(metafile));
for (const page of ['interface.md', 'operator-api.md']) cpSync(join(docs, page), join(dist, page));
cpSync(join(folder, '../console/dist'), join(dist, 'console'), { recursive: true });

function write(file: string, text: string): void {
  writeFileSync(join(dist, file), text);
}

/** A module finds what is beside it in `dist/` as it does in `src/`, whichever file it became a part of. */
function placesOfSource(): Plugin {
  return {
    name: 'places-of-source',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        // Each file of the bundle is one folder below `dist/`.
        const place = join('..', relative(source, path)).replaceAll(sep, '/').replace(/\.ts$/, '.js');
        const filename = `require('node:path').join(__dirname, '${place}')`;
        const contents = readFileSync(path, 'utf8')
          .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${filename}).href`)
          .replaceAll('import.meta.filename', filename);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** What the licenses of the packages in the bundle want to be told with it. */
function licensesOf({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const licenses = packages.filter((path) => path !== undefined).map((path) => licenseOf(join(folder, path)));
  return [...new Set(licenses)].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(path: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: path });
  if (!license && !file) throw new Error(`what is the license of ${name}?`);
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), 'utf8') : ''}`;
}
