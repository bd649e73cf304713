import type { Server } from 'node:http';

const waitMsMax = 3_000;
/** Between two looks. A program that looks without end is the one that the system interrupts. */
const restMs = 1;
/** A turn in which nothing is done takes a tenth of that; in a longer one somebody may have come. */
const turnMsMax = 0.2;

/**
 * Closes right behind a turn of the event loop that has brought the server nothing: this cuts off nobody who waits
 * to be accepted or read. Under a flood, which has no such turn, it waits for three seconds.
 */
export async function closeWhenIdle(server: Server, close: () => void): Promise<void> {
  let isQuiet = false;
  const stir = () => {
    isQuiet = false;
  };
  server.on('connection', stir).on('request', stir);
  const deadline = performance.now() + waitMsMax;
  await new Promise<void>((resolve) => {
    const look = () => {
      isQuiet = true;
      const began = performance.now();
      // Comes right after all that has arrived, and closes before anything else is done.
      setImmediate(() => {
        const now = performance.now();
        if ((!isQuiet || now - began > turnMsMax) && now < deadline) return setTimeout(look, restMs);
        close();
        return resolve();
      });
    };
    look();
  });
  server.off('connection', stir).off('request', stir);
}
