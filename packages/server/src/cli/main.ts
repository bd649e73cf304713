import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2));
// An open channel to the process that started this one would keep it alive. Whoever listens for its
// end means the end of that process.
if (process.connected) process.removeAllListeners('disconnect').disconnect?.();
