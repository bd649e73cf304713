import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import type { DrawingMessage } from './draw-image.ts';

interface Drawing {
  svg: string;
  side: number;
}

const reportRssEachMs = 10;
const settings: ResvgRenderOptions = { font: { loadSystemFonts: false }, logLevel: 'off' };

// A separate program, which `rasteriseSvg` starts for one SVG. The main thread reports the memory in use, while the
// worker is blocked in native code until the drawing is complete.
if (isMainThread) void watch();
else parentPort?.postMessage(draw(workerData));

async function watch(): Promise<void> {
  // Without this, the drawing would outlive the process that waits for it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const [drawing] = await once(process, 'message');
  setInterval(() => send({ rssBytes: process.memoryUsage.rss() }), reportRssEachMs);
  const [result] = await once(new Worker(import.meta.filename, { workerData: drawing }), 'message');
  send(result);
}

function send(message: DrawingMessage): void {
  process.send?.(message);
}

function draw({ svg, side }: Drawing): DrawingMessage {
  try {
    const { width, height } = new Resvg(svg, settings);
    const fitTo = { mode: width >= height ? 'width' : 'height', value: side } as const;
    return { png: new Resvg(svg, { ...settings, fitTo }).render().asPng() };
  } catch {
    return { unreadable: true };
  }
}
