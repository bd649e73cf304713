/**
 * `node run-side-by-side.ts COMMAND...`: runs these shell commands at the same time. The output of the first is shown as it
 * comes, that of each other when those before it have ended. Fails if any of them fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

const commands = process.argv.slice(2);
if (commands.length === 0) throw new Error('usage: run-side-by-side.ts COMMAND...');

const runs = commands.map((command, index) => {
  const run = spawn(command, { shell: true, stdio: ['ignore', index === 0 ? 'inherit' : 'pipe', 'inherit'] });
  return { command, output: run.stdout && buffer(run.stdout), closed: once(run, 'close') };
});

for (const { command, output, closed } of runs) {
  if (output) process.stdout.write(await output);
  const [status, signal] = await closed;
  if (status === 0) continue;
  console.error(`"${command}" failed: ${signal ?? `exit status ${status}`}`);
  process.exitCode = 1;
}
