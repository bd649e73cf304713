import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderLogo } from '../../features/logos/logo.ts';
import { StaticFile } from '../body/static-file.ts';
import { type Route, route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';

// The build puts a copy of the console beside the program.
const builtConsole = import.meta.url.endsWith('.ts') ? '../../../../console/dist/' : '../../console/';
const consoleFolder = fileURLToPath(new URL(builtConsole, import.meta.url));

const assetsPath = '/assets/';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A page of the console may run and show what this listener serves, and send requests to it. */
const policy = [
  `default-src 'none'`,
  ...['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
  `require-trusted-types-for 'script'`,
].join('; ');

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const pageHeaders = {
  ...headers,
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
};

/** A changed asset gets a new name. */
const assetHeaders = { ...headers, 'cache-control': 'private, max-age=31536000, immutable' };

export interface ConsoleOptions {
  /** The image that stands for this registry, drawn by `drawMark`; null for the one of the console. */
  mark: ConsoleMark | null;
  /** The folder of the built console; beside the program by default. */
  consoleFolder?: string;
}

/** An asset of the console. */
export interface ConsoleMark {
  path: string;
  png: Buffer;
}

/** The image of an operator as browsers get it: drawn anew like a logo, so that no script and no link in it is served. */
export async function drawMark(image: Buffer): Promise<ConsoleMark> {
  const png = Buffer.from(await renderLogo(image));
  const digest = createHash('sha256').update(png).digest('hex').slice(0, 16);
  return { path: `${assetsPath}mark-${digest}.png`, png };
}

/** The built console from its folder. It is small, so it is read once. */
export function consoleRoutes({ mark, consoleFolder: folder = consoleFolder }: ConsoleOptions): Route[] {
  const page = existsSync(`${folder}index.html`) ? readStatic(`${folder}index.html`) : undefined;
  const names = existsSync(`${folder}assets/`) ? readdirSync(`${folder}assets/`) : [];
  const assets = new Map(names.map((name) => [name, readStatic(`${folder}assets/${name}`)]));
  if (mark) assets.set(mark.path.slice(assetsPath.length), new StaticFile('image/png', mark.png));
  return [
    {
      method: 'GET',
      path: '/',
      access: 'anyone',
      cacheable: true,
      async handle(request, reply) {
        if (!page)
          throw new HttpProblem(
            'path_not_found',
            'The console is not built. Run "npm run build" and restart the server.',
          );
        return page.send(request, reply.headers(pageHeaders));
      },
    },
    route({
      method: 'GET',
      path: `${assetsPath}:file`,
      access: 'anyone',
      cacheable: true,
      async handle(request, reply) {
        const asset = assets.get(request.params.file);
        if (!asset) throw new HttpProblem('path_not_found', 'The console has no such file. Reload the page.');
        return asset.send(request, reply.headers(assetHeaders));
      },
    }),
  ];
}

function readStatic(path: string): StaticFile {
  const mediaType = mediaTypes[extname(path)];
  if (!mediaType) throw new Error(`say in console.ts what the media type of ${path} is`);
  return new StaticFile(mediaType, readFileSync(path));
}
