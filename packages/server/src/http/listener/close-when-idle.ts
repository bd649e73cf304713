import type { Server } from 'node:http';

const waitMsMax = 3_000;
/** Between two checks. The system preempts a process that checks without a pause. */
const pauseMs = 1;
/** An idle turn of the event loop takes a tenth of that; during a longer one a connection may have arrived. */
const turnMsMax = 0.2;

/**
 * Closes right after a turn of the event loop that brought the server nothing, so that no client waiting to be accepted
 * or read is reset. A flood has no such turn: then it closes after three seconds.
 */
export async function closeWhenIdle(server: Server, close: () => void): Promise<void> {
  let isIdle = false;
  const markBusy = () => {
    isIdle = false;
  };
  server.on('connection', markBusy).on('request', markBusy);
  const deadline = performance.now() + waitMsMax;
  await new Promise<void>((resolve) => {
    const check = () => {
      isIdle = true;
      const began = performance.now();
      // Runs after everything that has arrived, and before any other work.
      setImmediate(() => {
        const now = performance.now();
        if ((!isIdle || now - began > turnMsMax) && now < deadline) return setTimeout(check, pauseMs);
        close();
        return resolve();
      });
    };
    check();
  });
  server.off('connection', markBusy).off('request', markBusy);
}
