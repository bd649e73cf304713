import { run } from './run.ts';

// A reader may have seen enough, as `head` has. What must be written whole listens for itself.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void main();

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
  // An open channel to the process that started this one would keep it alive. Whoever listens for its
  // end means the end of that process.
  if (process.connected) process.removeAllListeners('disconnect').disconnect?.();
}
