import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@appregistrar/testkit/system/free-port';
import { Shell } from '../test/programs/shell.ts';
import { environment } from './config/env.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const marketplacePorts = 7;

test('the README runs from top to bottom in one shell', async (t) => {
  const folder = await checkout(t);
  const publicPort = await freePorts(marketplacePorts);
  const operatorPort = publicPort + 1;
  const readme = (await readFile(join(folder, 'README.md'), 'utf8'))
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${publicPort}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${operatorPort}`);
  const [starting = '', marketplace = '', ...commands] = blocksOf(readme, 'sh');
  const [example = ''] = blocksOf(readme, 'ts');
  await writeFile(join(folder, 'example.ts'), example);
  const env = {
    PATH: environment.PATH ?? '',
    HOME: folder,
    PUBLIC_ADDRESS: `127.0.0.1:${publicPort}`,
    OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  };
  const shell = new Shell({ env, cwd: folder });
  t.after(() => shell.close());

  assert.equal(starting, 'npm ci\nnpm run dev\n');
  assert.match(await shell.run(untilInterrupted('npm run dev', 'webhook listen')), /^ *console +http/m);
  assert.equal(marketplace, 'npm run marketplace\n');
  await shell.run(untilInterrupted(`npm run marketplace -- --port ${publicPort}`, 'Press Ctrl+C'));
  let output = '';
  for (const block of commands) output = await shell.run(block);
  assert.match(output, /^workspace_01jq3w2r5sfh8tn4m6b7k8c9d0$/m);
});

/** Starts a command, and interrupts it once it prints a text. A terminal sends Ctrl+C to all processes of a command. */
function untilInterrupted(command: string, text: string): string {
  return `rm -f output
mkfifo output
setsid ${command} > output &
sed '/${text}/q' output
kill -INT -- -$!
wait $! || true
`;
}

/** The files of the repository in a new folder, as `npm ci` leaves them. */
async function checkout(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  t.after(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const files = execFileSync('git', ['-C', repository, 'ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) await cp(join(repository, file), join(folder, file));
  const [from, to] = [join(repository, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(to);
  // Their links lead to the packages of the new folder.
  const relative = ['.bin', '@appregistrar'];
  for (const name of relative) await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  for (const name of await readdir(from)) if (!relative.includes(name)) await symlink(join(from, name), join(to, name));
  return folder;
}

function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}
