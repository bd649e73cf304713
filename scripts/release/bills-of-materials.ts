import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildParts, ProgramTree } from './archive/program-tree.ts';
import type { DebianTree } from './image/debian-tree.ts';

interface Component {
  type: string;
  group?: string;
  name: string;
  version: string;
  purl: string;
  licenses?: { license: { id: string } }[];
}

interface Bill {
  components: Component[];
}

/** Writes the contents of the server package, the archive and the image, each as CycloneDX. */
export function writeBills(program: ProgramTree, system: DebianTree, { worktree, out, version }: BuildParts): void {
  const text = readFileSync(join(worktree, 'packages/server/dist/sbom.cdx.json'), 'utf8');
  const write = (of: string, others: Component[]) => {
    const bill = JSON.parse(text) as Bill;
    const known = new Set(bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    bill.components.push(...others.filter(({ group, name }) => !known.has(group ? `${group}/${name}` : name)));
    writeFileSync(join(out, `app-registry-${version}-${of}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  };
  const packages = program.packages.map((name) => npmComponent(worktree, name));
  const libraries = system.packages.map(debianComponent);
  write('package', []);
  write('linux-x64', [...packages, ...libraries.filter(({ name }) => name === 'libatomic1')]);
  write('image', [...packages, ...libraries]);
}

function npmComponent(worktree: string, fullName: string): Component {
  const manifest = readFileSync(join(worktree, 'node_modules', fullName, 'package.json'), 'utf8');
  const { version, license } = JSON.parse(manifest);
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName];
  return {
    type: 'library',
    ...(group && { group }),
    name: name ?? fullName,
    version,
    ...(license && { licenses: [{ license: { id: license } }] }),
    purl: `pkg:npm/${fullName.replace('@', '%40')}@${version}`,
  };
}

function debianComponent({ name, version, architecture }: DebianTree['packages'][number]): Component {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', name, version, purl };
}
