import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Program } from '@appregistrar/testkit/programs/program';

const timeoutMs = 60_000;
/** Chromium has no sandbox for root. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** A page of a web application on its own origin, to open in Chromium. */
export class PackedPage {
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  #script = '';
  /** The listener to which the operator requests of the page are passed on. */
  operatorUrl = '';
  #onReport: ((report: string) => void) | undefined;

  static async open(): Promise<PackedPage> {
    const page = new PackedPage();
    await once(page.#server.listen(0, '127.0.0.1'), 'listening');
    return page;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Runs a module in Chromium, and returns what it passes to `report`. */
  async run(script: string): Promise<unknown> {
    this.#script = script;
    const reported = new Promise<string>((resolve) => {
      this.#onReport = resolve;
    });
    const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
    const options = ['--headless', '--disable-gpu', ...asRoot, `--user-data-dir=${folder}`];
    const chromium = new Program(['chromium', ...options, this.origin], { env: { HOME: folder } });
    try {
      const ended = chromium.ended.then(({ stderr }) => Promise.reject(new Error(`Chromium has ended:\n${stderr}`)));
      const late = once(AbortSignal.timeout(timeoutMs), 'abort').then(() =>
        Promise.reject(new Error(`the page did not report:\n${chromium.stderr}`)),
      );
      return JSON.parse(await Promise.race([reported, ended, late]));
    } finally {
      chromium.kill('SIGTERM');
      await chromium.ended;
      await rm(folder, { recursive: true });
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/operator/v1/')) {
      await this.#forward(request, response);
    } else if (request.method === 'POST') {
      this.#onReport?.(await text(request));
      response.writeHead(204).end();
    } else if (request.url === '/script.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(this.#script);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    }
  }

  async #forward({ url, headers: { authorization = '' } }: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await fetch(this.operatorUrl + url, { headers: { authorization } });
    response.writeHead(received.status, { 'content-type': received.headers.get('content-type') ?? '' });
    response.end(await received.text());
  }
}

const html = `<!doctype html>
<script>
  const report = (result) => fetch('/', { method: 'POST', body: JSON.stringify(result) });
  addEventListener('error', ({ message }) => report({ error: message }));
  addEventListener('unhandledrejection', ({ reason }) => report({ error: String(reason) }));
</script>
<script type="module" src="script.js"></script>
`;
