import { maskFiles } from '../files/private-files.ts';
import { CannotWrite, errorCode } from './command-problems.ts';
import { run } from './run.ts';

maskFiles();
const args = process.argv.slice(2);
process.stdout.on('error', (error) => void onOutputError(error));
void main();

async function main(): Promise<void> {
  const status = await run(args);
  process.exitCode ||= status;
  // An open channel to the parent process would keep this one alive. Listeners for "disconnect" expect the death of the
  // parent, not this call.
  if (process.connected) process.removeAllListeners('disconnect').disconnect?.();
}

/** A reader may close the pipe early, as `head` does. Commands that need complete output handle errors themselves. */
async function onOutputError(error: Error): Promise<void> {
  const code = errorCode(error);
  if (code === 'EPIPE' || process.stdout.listenerCount('error') > 1 || process.exitCode) return;
  process.exitCode = 1;
  const { reportFailure } = await import('./report-failure.ts');
  const failure = new CannotWrite(`Standard output cannot be written: ${code}.`);
  process.stderr.write(reportFailure(failure, { json: args.includes('--json') }));
}
