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
 * Runs `serve` in a process of its own until this one is told to end. In a checkout that process is
 * replaced whenever the source changes. `onFirstServing` is called when it serves for the first time.
 */
export function runServer(overrides: Record<string, string>, onFirstServing: () => void): Promise<void> {
  return new Promise((resolve) => {
    let next: 'keep' | 'restart' | 'end' = 'keep';
    let served = false;
    let server = start();
    const watcher = extension === '.ts' ? onSourceChange(() => replace('restart')) : undefined;
    onEndSignal(() => replace('end'));

    function start(): ChildProcess {
      next = 'keep';
      return serveProcess(overrides)
        .on('message', () => {
          if (!served) onFirstServing();
          served = true;
        })
        .on('exit', onExit);
    }

    function replace(by: 'restart' | 'end'): void {
      if (next !== 'end') next = by;
      if (!server.kill('SIGTERM')) onExit();
    }

    function onExit(): void {
      if (next === 'restart') {
        server = start();
      } else if (next === 'end' || !served) {
        // It has said itself why it could not serve.
        if (!served) process.exitCode = 1;
        watcher?.close();
        resolve();
      } else {
        process.stdout.write('The server has ended; it starts again when the source changes.\n');
      }
    }
  });
}

function serveProcess(overrides: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, 'serve'], {
    env: { ...environment, ...overrides },
    // The channel says when it serves, and ends it should this process die.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A terminal's interrupt goes to this process only, which ends the other in good order.
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
