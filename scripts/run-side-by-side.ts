/**
 * `node run-side-by-side.ts SCRIPT...`, from a package: runs these npm scripts of it at the same time. The output of the
 * first is shown as it comes, that of each other when those before it have ended. Fails if any of them fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

const names = process.argv.slice(2);
if (names.length === 0) throw new Error('usage: run-side-by-side.ts SCRIPT...');

const runs = names.map((name, index) => {
  const run = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', index === 0 ? 'inherit' : 'pipe', 'inherit'],
  });
  return { name, output: run.stdout && buffer(run.stdout), closed: once(run, 'close') };
});

for (const { name, output, closed } of runs) {
  if (output) process.stdout.write(await output);
  const [status, signal] = await closed;
  if (status === 0) continue;
  console.error(`npm run ${name} failed: ${signal ?? `exit status ${status}`}`);
  process.exitCode = 1;
}
