import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@appregistrar/testkit/system/free-port';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

interface Block {
  language: string;
  text: string;
}

test('the commands and files of the tutorial run, and print what the page shows', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tutorial-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const port = await freePorts(7);
  const blocks = await blocksOfTutorial({ 8080: port, 8081: port + 1, 3000: port + 2 });
  for (const { language, text } of blocks) if (language === 'ts') await writeFile(join(folder, nameOf(text)), text);
  const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const environment = { PUBLIC_ADDRESS: `127.0.0.1:${port}`, OPERATOR_ADDRESS: `127.0.0.1:${port + 1}` };
  assert.equal(await run(commands.join('\n'), folder, environment), shown.join(''));
});

/** The blocks of the page, with the ports of this test. */
async function blocksOfTutorial(ports: Record<string, number>): Promise<Block[]> {
  const page = await readFile(join(repository, 'docs/tutorial.md'), 'utf8');
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text: text.replaceAll(/127\.0\.0\.1:(\d+)|listen\((\d+)/g, (whole, ofUrl = '', ofCode = '') =>
      whole.replace(ofUrl + ofCode, String(ports[ofUrl + ofCode])),
    ),
  }));
}

function nameOf(file: string): string {
  return /^\/\/ (\S+)/.exec(file)?.[1] ?? assert.fail('a file begins with its name');
}

/** Runs all commands in one shell, as its readers do, and ends what they have started. Returns what they print. */
async function run(commands: string, cwd: string, environment: Record<string, string>): Promise<string> {
  const path = [join(repository, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const script = `set -euo pipefail\ntrap 'kill $(jobs -p) 2> kill.log || true; wait' EXIT\n${commands}`;
  const shell = spawn('bash', ['-c', script], {
    cwd,
    env: { HOME: cwd, ...environment, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(shell, 'close');
  const output = (await Array.fromAsync(shell.stdout)).join('');
  assert.deepEqual(await closed, [0, null], output);
  return output;
}
