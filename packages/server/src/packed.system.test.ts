import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { PackedPackage } from '@appregistrar/testkit/programs/packed-package';
import { olderNode, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import sharp from 'sharp';
import type { OperatorDeveloper } from './features/developers/developer.ts';
import type { Logo } from './features/logos/logo.ts';
import type { PageOf } from './kernel/page.ts';
import { knownSchemas } from './storage/migrations/known-schemas.ts';

const launcher = 'node_modules/.bin/app-registry';

let packed: PackedPackage;
let dev: Program;
let publicUrl: string;
let operatorUrl: string;

before(async () => {
  packed = await PackedPackage.install('server', '--prefer-offline');
  const [publicAddress, operatorAddress] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  [publicUrl, operatorUrl] = [`http://${publicAddress}`, `http://${operatorAddress}`];
  const env = { PUBLIC_ADDRESS: publicAddress, OPERATOR_ADDRESS: operatorAddress };
  dev = packed.start(['npx', '@appregistrar/server', 'dev'], env);
  await dev.until(databaseUrlOf);
});
after(async () => {
  dev?.kill('SIGTERM');
  await dev?.ended;
  await packed?.remove();
});

test('its commands show the installed version, and the commit that it was built from', async () => {
  assert.match(
    await packed.run('npx', '@appregistrar/server', '--version'),
    new RegExp(`^${packed.version} \\([0-9a-f]{40}(-dirty)?\\)\n$`),
  );
});

test('it contains neither source nor tests', async () => {
  const files = await readdir(join(packed.folder, 'node_modules/@appregistrar/server'), { recursive: true });
  assert.ok(files.includes('dist/cli/main.js'));
  assert.deepEqual(
    files.filter((file) => /\.ts$|\.test\.|(^|\/)testing\//.test(file)),
    [],
  );
});

test('it contains the licenses of bundled code', async () => {
  const licenses = await readFile(join(packed.folder, 'node_modules/@appregistrar/server/dist/licenses.txt'), 'utf8');
  for (const name of ['fastify', 'kysely', 'pg', 'pino']) {
    assert.match(licenses, new RegExp(`^${name} \\d\\S+ \\(MIT\\)\n\n.*\n\nCopyright `, 'm'));
  }
});

test('its software bill of materials lists all bundled packages and its dependencies, and nothing else', async () => {
  const own = await manifest('@appregistrar/server');
  const dependencies = await Promise.all(Object.keys(own.dependencies ?? {}).map(manifest));
  const licenses = await readFile(join(packed.folder, 'node_modules/@appregistrar/server/dist/licenses.txt'), 'utf8');
  const titles = licenses.split(`${'-'.repeat(80)}\n\n`).map((section) => section.split('\n', 1)[0] ?? '');
  // Data of Unicode is part of the source, and of no package.
  const sections = titles.filter((title) => title !== 'Unicode data');
  assert.equal(sections.length, titles.length - 1);
  const sbom = JSON.parse(
    await readFile(join(packed.folder, 'node_modules/@appregistrar/server/dist/sbom.cdx.json'), 'utf8'),
  );

  const { group, name, version } = sbom.metadata.component;
  assert.deepEqual(
    [sbom.bomFormat, `${group}/${name}`, version],
    ['CycloneDX', '@appregistrar/server', packed.version],
  );
  const listed = (sbom.components as Component[]).map(
    ({ group, name, version, licenses: [first] }) =>
      `${group ? `${group}/` : ''}${name} ${version} (${first?.license.id})`,
  );
  const expected = dependencies.map(({ name, version, license }) => `${name} ${version} (${license})`);
  // Part of this project, so its license is that of the package.
  const ofOurs = `@appregistrar/client ${packed.version} (Apache-2.0)`;
  assert.deepEqual(new Set(listed.toSorted()), new Set([...sections, ...expected, ofOurs].toSorted()));
  assert.ok(
    expected.length > 0 &&
      ['preact ', 'lucide '].every((bundled) => sections.some((section) => section.startsWith(bundled))),
  );
});

test('npx @appregistrar/server dev serves, and every command that it prints succeeds unchanged', async () => {
  const lines = dev.stdout.split('\n');
  const variables = lines.filter((line) => line.startsWith('export ')).join('\n');
  const [listen = '', ...commands] = lines.filter((line) => /^(curl|npx) /.test(line)).toReversed();
  assert.deepEqual(
    commands.map((command) => command.split(' ', 1)[0]),
    ['npx', 'curl', 'curl', 'curl'],
  );
  for (const command of commands) {
    const output = await packed.run('sh', '-c', `${variables}\n${command}`);
    assert.match(output, command.startsWith('curl') ? /^HTTP\/1\.1 200 OK\r\n/ : /Invoice Sync/, command);
  }
  const listening = packed.start(['sh', '-c', `${variables}\nexec ${listen}`], {});
  await listening.until((stdout) => /^Forwarding events to http.*whsec_/m.exec(stdout));
  listening.kill('SIGTERM');
  await listening.ended;
});

test('both listeners publish their references', async () => {
  const anchors = { [publicUrl]: 'id="72-problem-codes"', [operatorUrl]: 'id="scopes"' };
  for (const [url, anchor] of Object.entries(anchors)) {
    const response = await fetch(`${url}/docs`);
    assert.equal(response.status, 200, url);
    assert.ok((await response.text()).includes(anchor), url);
  }
});

test('an SVG image is rendered and served as a logo in PNG', async () => {
  await packed.write(
    'logo.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="5" height="5"/></svg>',
  );
  const { items } = await done<PageOf<OperatorDeveloper>>('developer', 'list');
  const { logoUrl } = await done<Logo>('logo', 'create', 'logo.svg', '--developer', items[0]?.id ?? '');
  const response = await fetch(publicUrl + new URL(logoUrl).pathname);
  assert.equal(response.status, 200);
  const { format, width, height } = await sharp(await response.bytes()).metadata();
  assert.deepEqual({ format, width, height }, { format: 'png', width: 512, height: 512 });
});

forEachEngine((engine) => {
  test('an empty database is migrated and is then a consistent registry', async (t) => {
    const { url, drop } = await engine.createDatabase();
    t.after(drop);
    assert.equal(
      (await done<{ schemaVersion: number }>('migrate', '--database-url', url)).schemaVersion,
      knownSchemas.migrations.length,
    );
    assert.equal((await done<{ apps: number }>('check', '--database-url', url)).apps, 0);
  });
});

test('where Node is too old it runs on the Node that npm installed with it, and without that one it reports what it needs', async () => {
  const runWithOldNode = () => Program.run([...olderNode(), join(packed.folder, launcher), '--version']);
  assert.equal((await runWithOldNode()).status, 0);
  await rm(join(packed.folder, 'node_modules', `node-${process.platform}-${process.arch}`), { recursive: true });
  const { status, stdout, stderr } = await runWithOldNode();
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^app-registry: this is Node \d+\.\d+\.\d+; app-registry needs Node 24\.15 or newer\..*\n$/);
});

/** What an SBOM says about a package. */
interface Component {
  group?: string;
  name: string;
  version: string;
  licenses: { license: { id: string } }[];
}

interface Manifest {
  name: string;
  version: string;
  license: string;
  dependencies?: Record<string, string>;
}

/** The `package.json` of an installed package. */
async function manifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(packed.folder, 'node_modules', name, 'package.json'), 'utf8'));
}

/** The output of a command, by default on the database of the development server. */
async function done<Result>(...args: string[]): Promise<Result> {
  const database = args.includes('--database-url') ? [] : ['--database-url', databaseUrlOf(dev.stdout) ?? ''];
  return JSON.parse(await packed.run(launcher, ...args, ...database, '--json'));
}

function databaseUrlOf(welcome: string): string | undefined {
  return /^export DATABASE_URL=(\S+)/m.exec(welcome)?.[1];
}
