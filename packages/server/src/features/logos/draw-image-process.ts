import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Drawing, DrawingLimits, DrawnImage } from './draw-image.ts';

const checkEachMs = 10;

// A separate program, which `drawImage` starts for one image. Its main thread watches the limits, while the decoders
// work in threads of their own.
if (isMainThread) void main();
else void drawMarkup();

async function main(): Promise<void> {
  yieldToService();
  const [{ image, limits }]: [Drawing] = (await once(process, 'message')) as [Drawing];
  enforce(limits);
  setInterval(() => enforce(limits), checkEachMs);
  process.send?.(await draw(image));
}

/** The service decides when this process ends, and outlives it. */
function yieldToService(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A terminal and a service manager signal the whole group; the service still completes its uploads.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  try {
    // On Linux, memory that runs out ends this process instead of the service.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {}
}

function enforce({ cpuMs, memoryBytes }: DrawingLimits): void {
  const { user, system } = process.cpuUsage();
  const isBeyond = (user + system) / 1_000 > cpuMs || process.memoryUsage.rss() > memoryBytes;
  if (isBeyond) process.kill(process.pid, 'SIGKILL');
}

async function draw(image: Uint8Array): Promise<DrawnImage> {
  const { asMarkup, drawPixels } = await import('./draw-pixels.ts');
  const markup = asMarkup(image);
  if (markup === null) return drawPixels(image);
  const [drawn]: DrawnImage[] = await once(new Worker(import.meta.filename, { workerData: markup }), 'message');
  if (!drawn) return { outcome: 'unreadable' };
  return drawn.outcome === 'drawn' ? drawPixels(drawn.png) : drawn;
}

async function drawMarkup(): Promise<void> {
  const { drawSvg } = await import('./draw-svg.ts');
  parentPort?.postMessage(drawSvg(workerData));
}
