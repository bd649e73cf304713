import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';

/** The side of the square that every logo is drawn as, in pixels. */
export const logoSide = 512;

/** The result for an image. A reason is a complete sentence for the sender. */
export type DrawnImage =
  | { outcome: 'drawn'; png: Uint8Array }
  | { outcome: 'unreadable' }
  | { outcome: 'refused'; reason: string };

/** What the drawing process may use. The largest image that may be drawn takes 280 MiB, and a second. */
export interface DrawingLimits {
  /** Processor time, so that a busy machine does not cause a refusal. */
  cpuMs: number;
  memoryBytes: number;
}

/** What the drawing process receives. */
export interface Drawing {
  image: Uint8Array;
  limits: DrawingLimits;
}

const defaultLimits: DrawingLimits = { cpuMs: 5_000, memoryBytes: 512 * 1024 * 1024 };
/** A process that gets no processor must end too. */
const timeMsMax = 60_000;

/**
 * Draws an image as a logo. It is decoded in a separate process with limits: a file of a few kilobytes can take
 * hundreds of megabytes, and a decoder can have defects. Native code cannot be stopped in a thread, nor does it return
 * all memory to the system. Images are drawn one at a time, so that many use no more than one.
 */
export function drawImage(image: Uint8Array, limits: Partial<DrawingLimits> = {}): Promise<DrawnImage> {
  const result = latest.then(() => drawInProcess({ image, limits: { ...defaultLimits, ...limits } }));
  latest = result.catch(() => {});
  return result;
}

let latest: Promise<unknown> = Promise.resolve();

async function drawInProcess(drawing: Drawing): Promise<DrawnImage> {
  const child = startDrawing();
  const timer = setTimeout(() => child.kill('SIGKILL'), timeMsMax);
  try {
    return await new Promise<DrawnImage>((resolve, reject) => {
      child.on('message', (drawn: DrawnImage) => resolve(drawn));
      child.on('error', reject);
      child.on('exit', (status, signal) => {
        // The image has reached a limit, or has crashed its decoder.
        if (signal !== null) resolve({ outcome: 'refused', reason: tooExpensive });
        else reject(new Error(`the process that draws an image ended with status ${status}`));
      });
      // A process that cannot receive it has ended, which is reported with the status.
      child.send(drawing, () => {});
    });
  } finally {
    clearTimeout(timer);
    await end(child);
  }
}

/** Resolves once its memory is free. */
async function end(child: ChildProcess): Promise<void> {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (!isRunning) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const tooExpensive = 'The image takes too much time or memory to render. Simplify it.';

/** Without the environment, whose secrets it does not need. */
function startDrawing(): ChildProcess {
  const program = new URL(`./draw-image-process${extname(import.meta.filename)}`, import.meta.url);
  return fork(program, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
