import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import type { DrawingMessage } from './rasterise-svg.ts';

interface Drawing {
  svg: string;
  side: number;
}

const tellRssEachMs = 10;
const settings: ResvgRenderOptions = { font: { loadSystemFonts: false }, logLevel: 'off' };

// A program of its own: `rasteriseSvg` starts it for one SVG. The main thread tells how much memory is
// used while the other one draws, and is stuck in native code until it is done.
if (isMainThread) void watch();
else parentPort?.postMessage(draw(workerData));

async function watch(): Promise<void> {
  // Nobody else would end a drawing that nobody waits for.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const [drawing] = await once(process, 'message');
  setInterval(() => tell({ rssBytes: process.memoryUsage.rss() }), tellRssEachMs);
  const [result] = await once(new Worker(import.meta.filename, { workerData: drawing }), 'message');
  tell(result);
}

function tell(message: DrawingMessage): void {
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
