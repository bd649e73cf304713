import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';

/** A message of the drawing process. */
export type DrawingMessage = { png: Uint8Array } | { unreadable: true } | { rssBytes: number };

/** The result for an SVG. A reason is a complete sentence for the sender. */
export type RasterisedSvg =
  | { outcome: 'drawn'; png: Uint8Array }
  | { outcome: 'unreadable' }
  | { outcome: 'refused'; reason: string };

const limits = { timeMs: 5_000, memoryBytes: 512 * 1024 * 1024 };

/** Content that would be read from elsewhere, or drawn differently than intended. A comment that contains it is refused too. */
const unsupported: [markup: RegExp, reason: string][] = [
  [/<!entity/i, 'The SVG declares entities, which are not read. Save it without them.'],
  // resvg opens files that images name, and an image within an SVG may itself be an SVG.
  [element('image|feImage'), 'The SVG contains an image, but only shapes are drawn. Save it without images.'],
  [element('text'), 'The SVG holds text, and no font is at hand to draw it with. Convert the text to paths.'],
];

/**
 * Draws an SVG as a PNG whose longer side has `side` pixels, regardless of its size. Reads nothing but the text and runs
 * no script. A hostile SVG could keep the renderer busy for years or exhaust the memory, and native code cannot be
 * stopped in a thread: so it runs in a separate process, which is killed at its limits.
 */
export function rasteriseSvg(
  svg: string,
  options: { side: number; limits?: Partial<typeof limits> },
): Promise<RasterisedSvg> {
  const [, reason] = unsupported.find(([markup]) => markup.test(svg)) ?? [];
  if (reason !== undefined) return Promise.resolve({ outcome: 'refused', reason });
  // One at a time, so that many hostile SVGs use no more than one.
  const result = latest.then(() => draw(svg, { side: options.side, ...limits, ...options.limits }));
  latest = result.catch(() => {});
  return result;
}

let latest: Promise<unknown> = Promise.resolve();

/** An element of this name, with any prefix. */
function element(name: string): RegExp {
  return new RegExp(`<(?:[^\\s<>/]*:)?(?:${name})[\\s/>]`, 'i');
}

async function draw(
  svg: string,
  { side, timeMs, memoryBytes }: { side: number } & typeof limits,
): Promise<RasterisedSvg> {
  const child = startDrawing();
  const timer = setTimeout(() => child.kill('SIGKILL'), timeMs);
  try {
    return await new Promise<RasterisedSvg>((resolve, reject) => {
      child.on('message', (message: DrawingMessage) => {
        if ('png' in message) resolve({ outcome: 'drawn', png: message.png });
        else if ('unreadable' in message) resolve({ outcome: 'unreadable' });
        else if (message.rssBytes > memoryBytes) child.kill('SIGKILL');
      });
      child.on('error', reject);
      child.on('exit', (status, signal) => {
        if (child.killed || signal !== null) resolve({ outcome: 'refused', reason: tooExpensive });
        else reject(new Error(`the process that draws an SVG ended with status ${status}`));
      });
      child.send({ svg, side }, (error) => error && !child.killed && reject(error));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const tooExpensive = 'The SVG takes too much time or memory to draw. Simplify it.';

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
