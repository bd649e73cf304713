/**
 * Preloaded into each process that runs tests. It fails a process that exits before its last test, although Node would
 * report the tests before as all; one with a test that leaves a function of the process replaced, which other files share;
 * and one that still runs long after its last test, because something is open: the runner would wait for it forever.
 */
import { after } from 'node:test';
import { environment } from '../../../server/src/config/env.ts';

const exitMsMax = Number(environment.TEST_EXIT_MS_MAX ?? 60_000);
const runsTests = environment.NODE_TEST_CONTEXT || process.execArgv.includes('--test-isolation=none');
const shared = sharedFunctions();
let isComplete = false;

if (runsTests) {
  after(() => {
    isComplete = true;
    setTimeout(() => {
      fail(`still running ${exitMsMax} ms after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit();
    }, exitMsMax).unref();
  });
  process.on('exit', () => {
    if (!isComplete) fail('the process exited before its last test');
    const replaced = Object.entries(sharedFunctions()).filter(([name, current]) => current !== shared[name]);
    if (replaced.length > 0) fail(`a test has left ${replaced.map(([name]) => name).join(', ')} replaced`);
  });
}

function sharedFunctions(): Record<string, unknown> {
  const { setTimeout, clearTimeout, setInterval, clearInterval, fetch } = globalThis;
  return { setTimeout, clearTimeout, setInterval, clearInterval, fetch, random: Math.random, now: Date.now };
}

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}
