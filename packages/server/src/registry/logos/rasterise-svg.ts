import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';

/** What a process that draws tells the one that has started it. */
export type DrawingMessage = { png: Uint8Array } | { unreadable: true } | { rssBytes: number };

/** What becomes of an SVG. A reason is a whole sentence for the person who has sent it. */
export type Rasterised =
  | { outcome: 'drawn'; png: Uint8Array }
  | { outcome: 'unreadable' }
  | { outcome: 'refused'; reason: string };

const limits = { timeMs: 5_000, memoryBytes: 512 * 1024 * 1024 };

/** What would be read from elsewhere, or not be drawn as its author sees it. A comment that holds it is refused too. */
const notTaken: [markup: RegExp, reason: string][] = [
  [/<!entity/i, 'The SVG declares entities, which are not read. Save it without them.'],
  // resvg opens the files that images name, and an image within an SVG can be an SVG again.
  [element('image|feImage'), 'The SVG holds an image, and only shapes are drawn. Save it without images.'],
  [element('text'), 'The SVG holds text, and no font is at hand to draw it with. Convert the text to paths.'],
];

/**
 * Draws an SVG as a PNG whose longer side has `side` pixels, whatever size it claims. Nothing is read but
 * the text itself; no script runs. A hostile SVG can keep the renderer busy for years and fill any memory,
 * and native code stops in no thread: so it runs in a process of its own, which is ended at its limits.
 */
export function rasteriseSvg(
  svg: string,
  options: { side: number; limits?: Partial<typeof limits> },
): Promise<Rasterised> {
  const [, reason] = notTaken.find(([markup]) => markup.test(svg)) ?? [];
  if (reason !== undefined) return Promise.resolve({ outcome: 'refused', reason });
  // One at a time, so that many hostile ones take no more than one does.
  const result = latest.then(() => draw(svg, { side: options.side, ...limits, ...options.limits }));
  latest = result.catch(() => {});
  return result;
}

let latest: Promise<unknown> = Promise.resolve();

/** An element of this name, whatever its prefix. */
function element(name: string): RegExp {
  return new RegExp(`<(?:[^\\s<>/]*:)?(?:${name})[\\s/>]`, 'i');
}

async function draw(svg: string, { side, timeMs, memoryBytes }: { side: number } & typeof limits): Promise<Rasterised> {
  const child = startDrawing();
  const timer = setTimeout(() => child.kill('SIGKILL'), timeMs);
  try {
    return await new Promise<Rasterised>((resolve, reject) => {
      child.on('message', (message: DrawingMessage) => {
        if ('png' in message) resolve({ outcome: 'drawn', png: message.png });
        else if ('unreadable' in message) resolve({ outcome: 'unreadable' });
        else if (message.rssBytes > memoryBytes) child.kill('SIGKILL');
      });
      child.on('error', reject);
      child.on('exit', (status, signal) => {
        if (child.killed || signal !== null) resolve({ outcome: 'refused', reason: tooMuch });
        else reject(new Error(`the process that draws an SVG ended with status ${status}`));
      });
      child.send({ svg, side }, (error) => error && !child.killed && reject(error));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const tooMuch = 'The SVG takes too much time or memory to draw. Simplify it.';

/** Without the environment, whose secrets it has no use for. */
function startDrawing(): ChildProcess {
  const program = new URL(`./draw-svg-process${extname(import.meta.filename)}`, import.meta.url);
  return fork(program, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
