import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '../../config/env.ts';
import { onEndSignal } from '../../end-signal.ts';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const sourceFolder = fileURLToPath(new URL('../..', import.meta.url));
const main = fileURLToPath(new URL(`../main${extension}`, import.meta.url));
const settleMs = 150;

/**
 * Runs `serve` in a child process until this process receives an end signal. In a checkout the child restarts whenever
 * the source changes. Calls `onFirstServing` when it serves for the first time.
 */
export function runServer(overrides: Record<string, string>, onFirstServing: () => void): Promise<void> {
  return new Promise((resolve) => {
    let next: 'run' | 'restart' | 'exit' = 'run';
    let served = false;
    let server = start();
    const watcher = extension === '.ts' ? onSourceChange(() => stopServer('restart')) : undefined;
    onEndSignal(() => stopServer('exit'));

    function start(): ChildProcess {
      next = 'run';
      return serveProcess(overrides)
        .on('message', () => {
          if (served) process.stdout.write('Server restarted.\n');
          else onFirstServing();
          served = true;
        })
        .on('exit', onExit);
    }

    function stopServer(then: 'restart' | 'exit'): void {
      if (next !== 'exit') next = then;
      if (!server.kill('SIGTERM')) onExit();
    }

    function onExit(): void {
      if (next === 'restart') {
        server = start();
      } else if (next === 'exit' || !served) {
        // The child has printed why it could not serve.
        if (!served) process.exitCode = 1;
        watcher?.close();
        resolve();
      } else {
        process.stdout.write('Server stopped; it restarts when the source changes.\n');
      }
    }
  });
}

function serveProcess(overrides: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, 'serve'], {
    env: { ...environment, ...overrides },
    // The channel reports when the child serves, and stops it if this process dies.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // The interrupt of a terminal then reaches only this process, which stops the child gracefully.
    detached: true,
  });
}

function onSourceChange(listener: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return watch(sourceFolder, { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(listener, settleMs);
  });
}
