import { run } from './run.ts';

// A reader may close the pipe early, as `head` does. Commands that need complete output handle the error themselves.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void main();

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
  // An open channel to the parent process would keep this one alive. Listeners for "disconnect" expect the death of the
  // parent, not this call.
  if (process.connected) process.removeAllListeners('disconnect').disconnect?.();
}
