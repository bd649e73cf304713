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

test('the README runs from top to bottom, and its responses are those of the server', async (t) => {
  const { folder, publicPort, shell } = await newReader(t);
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [starting, ...commands] = blocksOf(readme, 'sh');
  assert.equal(starting, 'npm ci\nnpm run dev\n');
  const variables = await shell.run(begin('npm run dev', '^export BASE_URL'));
  await shell.run(variables);
  const responses = blocksOf(readme, 'json');
  assert.equal(commands.length, responses.length);
  for (const [at, command] of commands.entries()) {
    const response = JSON.parse(await shell.run(command));
    assertShown(responses[at] ?? '', `${JSON.stringify(response, null, 2)}\n`);
  }
  await shell.run(end);
  await shell.run(`${begin(`npm run marketplace -- --port ${publicPort}`, 'Press Ctrl.C')}\n${end}`);
});

test('the quickstart runs from top to bottom in one shell', async (t) => {
  const { folder, publicPort, shell } = await newReader(t);
  const page = (await readFile(join(folder, 'docs/quickstart.md'), 'utf8'))
    .replace(/^npm ci$/m, '')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${publicPort}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${publicPort + 1}`);
  const [example = ''] = blocksOf(page, 'ts');
  await writeFile(join(folder, 'example.ts'), example);
  const outputs: string[] = [];
  for (const block of blocksOf(page, 'sh')) outputs.push(await shell.run(block));
  assert.match(outputs.at(-2) ?? '', /^workspace_01jq3w2r5sfh8tn4m6b7k8c9d0$/m);
});

/** A checkout of a reader, and the shell in which it is followed. */
async function newReader(t: TestContext) {
  const folder = await checkout(t);
  const publicPort = await freePorts(marketplacePorts);
  const env = {
    PATH: environment.PATH ?? '',
    HOME: folder,
    PUBLIC_ADDRESS: `127.0.0.1:${publicPort}`,
    OPERATOR_ADDRESS: `127.0.0.1:${publicPort + 1}`,
  };
  const shell = new Shell({ env, cwd: folder });
  t.after(() => shell.close());
  return { folder, publicPort, shell };
}

/** Starts a command, and waits until it prints a line, which it prints as well. */
function begin(command: string, line: string): string {
  return `rm -f output
mkfifo output
setsid ${command} > output &
started=$!
exec 3< output
sed -n '/${line}/{p;q}' <&3
`;
}

/** Interrupts it. A terminal sends Ctrl+C to all processes of a command. */
const end = `kill -INT -- -$started
cat <&3 > /dev/null
wait $started || true
`;

/** Compares a response with the one on a page, in which a line with an ellipsis stands for any number of lines. */
function assertShown(shown: string, response: string): void {
  let rest = withoutIds(response);
  for (const part of withoutIds(shown).split('…\n')) {
    const at = rest.indexOf(part);
    assert.ok(at >= 0, `${response}\ndoes not contain\n${part}`);
    rest = rest.slice(at + part.length);
  }
}

function withoutIds(text: string): string {
  return text.replaceAll(/_[0-9a-z]{26}\b/g, '_id').replaceAll(/\d{4}-[-\d]+T[\d:.]+Z/g, 'time');
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
