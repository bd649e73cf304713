/**
 * Preloaded into each process that runs tests. One that exits before its last test fails, although Node would report the
 * tests before as all. The runner waits until it exits, however long that takes: one that still runs long after its last
 * test has left something open, and fails.
 */
import { after } from 'node:test';
import { environment } from '../../../server/src/config/env.ts';

const exitMsMax = Number(environment.TEST_EXIT_MS_MAX ?? 60_000);
const runsTests = environment.NODE_TEST_CONTEXT || process.execArgv.includes('--test-isolation=none');
let isComplete = false;

if (runsTests) {
  after(() => {
    isComplete = true;
    setTimeout(fail, exitMsMax).unref();
  });
  process.on('exit', () => {
    if (isComplete) return;
    console.error('the process exited before its last test');
    process.exitCode = 1;
  });
}

function fail(): void {
  console.error(`still running ${exitMsMax} ms after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
