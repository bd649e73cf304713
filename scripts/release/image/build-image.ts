import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildParts, type ProgramTree, writeProgram } from '../archive/program-tree.ts';
import { execute } from '../execute.ts';
import { packTar } from '../reproducible-tar.ts';
import { completeLayout } from './complete-layout.ts';
import type { DebianTree } from './debian-tree.ts';

const dataFolder = 'var/lib/app-registry';
/** Numeric, so that an orchestrator can check that it is not root. */
export const imageUser = 10_001;
/** Its listeners must be reached from outside of the container, so TLS or `ALLOW_PLAINTEXT` must be chosen. */
export const imageEnvironment = {
  PATH: '/usr/local/bin',
  DATABASE_URL: `sqlite:/${dataFolder}/registry.db`,
  PUBLIC_ADDRESS: '0.0.0.0:8080',
  OPERATOR_ADDRESS: '0.0.0.0:8081',
};

/** Builds the image for linux/amd64 from scratch, in an archive of its OCI layout. Needs no daemon and no other image. */
export function buildImage(program: ProgramTree, system: DebianTree, parts: BuildParts): void {
  const { scratch, version, out, time } = parts;
  const layers = packLayers(program, system, parts);
  const layout = join(scratch, 'layout');
  const image = `--image=${layout}:${version}`;
  const created = new Date(time * 1_000).toISOString();
  const umoci = (...args: string[]) => execute(['umoci', ...args], { cwd: scratch });
  umoci('init', `--layout=${layout}`);
  umoci('new', image);
  for (const [what, layer] of Object.entries(layers)) {
    umoci('raw', 'add-layer', image, `--history.created=${created}`, `--history.created_by=${what}`, layer);
  }
  umoci('config', image, '--no-history', `--created=${created}`, ...configuration(parts));
  umoci('gc', `--layout=${layout}`);
  const name = `app-registry-${version}-linux-amd64.oci.tar`;
  packTar(join(out, name), completeLayout(layout, version), { cwd: layout, time });
}

/** Files that rarely change are a layer of their own, and so are those of the service's user. */
function packLayers(program: ProgramTree, system: DebianTree, { scratch, time }: BuildParts): Record<string, string> {
  const [base, own] = [system.folder, join(scratch, 'own')];
  writeFileSync(join(base, 'etc/passwd'), passwd);
  writeFileSync(join(base, 'etc/group'), `root:x:0:\napp-registry:x:${imageUser}:\n`);
  writeFileSync(join(base, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  mkdirSync(join(own, 'usr/local/bin'), { recursive: true });
  writeProgram(join(own, 'usr/local/bin/app-registry'), 'app-registry.cjs');
  cpSync(program.folder, join(own, 'opt/app-registry'), { recursive: true });
  mkdirSync(join(scratch, 'data', dataFolder), { recursive: true });
  const pack = (name: string, paths: string[], cwd: string, owner = 0) => {
    const file = join(scratch, `${name}.tar`);
    packTar(file, paths, { cwd, time, owner });
    return file;
  };
  return {
    'the libraries of Debian': pack('base', ['.'], base),
    'the program': pack('own', ['opt', 'usr'], own),
    'the folder for a SQLite database': pack('data', [dataFolder], join(scratch, 'data'), imageUser),
  };
}

const passwd = `root:x:0:0:root:/root:/usr/sbin/nologin
app-registry:x:${imageUser}:${imageUser}:app-registry:/${dataFolder}:/usr/sbin/nologin
`;

function configuration({ version, commit }: BuildParts): string[] {
  const labels = { title: 'app-registry', version, revision: commit, licenses: 'Apache-2.0' };
  return [
    '--os=linux',
    '--architecture=amd64',
    `--config.user=${imageUser}:${imageUser}`,
    '--config.entrypoint=/usr/local/bin/app-registry',
    '--config.cmd=serve',
    `--config.workingdir=/${dataFolder}`,
    `--config.volume=/${dataFolder}`,
    '--config.stopsignal=SIGTERM',
    '--config.exposedports=8080/tcp',
    '--config.exposedports=8081/tcp',
    ...Object.entries(imageEnvironment).map(([name, value]) => `--config.env=${name}=${value}`),
    ...Object.entries(labels).map(([name, value]) => `--config.label=org.opencontainers.image.${name}=${value}`),
  ];
}
