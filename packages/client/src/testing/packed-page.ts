import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Program } from 'app-registry-testkit/programs/program';

const answerMsMax = 60_000;
/** Chromium has no sandbox for root. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** A page of a web application, on an origin of its own, to open in Chromium. */
export class PackedPage {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #script = '';
  #told: ((answer: string) => void) | undefined;

  static async open(): Promise<PackedPage> {
    const page = new PackedPage();
    await once(page.#server.listen(0, '127.0.0.1'), 'listening');
    return page;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Runs a module in Chromium, and answers what it gives to `tell`. */
  async run(script: string): Promise<unknown> {
    this.#script = script;
    const told = new Promise<string>((resolve) => {
      this.#told = resolve;
    });
    const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
    const options = ['--headless', '--disable-gpu', ...asRoot, `--user-data-dir=${folder}`];
    const chromium = new Program(['chromium', ...options, this.origin], { env: { HOME: folder } });
    try {
      const ended = chromium.ended.then(({ stderr }) => Promise.reject(new Error(`Chromium has ended:\n${stderr}`)));
      const late = once(AbortSignal.timeout(answerMsMax), 'abort').then(() =>
        Promise.reject(new Error(`the page told nothing:\n${chromium.stderr}`)),
      );
      return JSON.parse(await Promise.race([told, ended, late]));
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

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      this.#told?.(await text(request));
      response.writeHead(204).end();
    } else if (request.url === '/script.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(this.#script);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    }
  }
}

const html = `<!doctype html>
<script>
  const tell = (answer) => fetch('/', { method: 'POST', body: JSON.stringify(answer) });
  addEventListener('error', ({ message }) => tell({ error: message }));
  addEventListener('unhandledrejection', ({ reason }) => tell({ error: String(reason) }));
</script>
<script type="module" src="script.js"></script>
`;
