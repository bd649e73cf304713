import assert from 'node:assert/strict';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { readConfig } from '../../server/src/config/config.ts';
import type { TokenScope } from '../../server/src/contract/access-token.ts';
import { type Server, startServer } from '../../server/src/serve.ts';
import { chromiumPath } from './chromium.ts';

/** WCAG 2.2 at level AA, and the best practices of axe. */
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface FixtureParts {
  data: RegistryFixture;
  log: CapturedLog;
  server: Server;
  browser: Browser;
  address: string;
  publicAddress: string;
  otherOrigins: string[];
}

/** A real server and a browser for its console. */
export class ConsoleFixture {
  readonly data: RegistryFixture;
  /** The URL of the console, with a trailing slash. */
  readonly address: string;
  /** The URL of the public listener, with a trailing slash. */
  readonly publicAddress: string;
  readonly #server: Server;
  readonly #log: CapturedLog;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #errors: string[] = [];
  /** Other hosts that a window may send requests to, such as an identity provider. */
  readonly #otherOrigins: string[];

  static async open(
    engine: Engine,
    environment: Record<string, string> = {},
    otherOrigins: string[] = [],
  ): Promise<ConsoleFixture> {
    const data = await RegistryFixture.open(engine);
    const log = new CapturedLog();
    const config = readConfig({
      DATABASE_URL: data.databaseUrl,
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: '127.0.0.1:0',
      ...environment,
    });
    const server = await startServer(config, log.logger);
    // The sandbox of Chromium does not work for root.
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    const address = `${environment.OPERATOR_BASE_URL ?? `http://127.0.0.1:${server.operatorAddress.port}`}/`;
    const publicAddress = `http://127.0.0.1:${server.publicAddress.port}/`;
    return new ConsoleFixture({ data, log, server, browser, address, publicAddress, otherOrigins });
  }

  private constructor(parts: FixtureParts) {
    this.data = parts.data;
    this.address = parts.address;
    this.publicAddress = parts.publicAddress;
    this.#log = parts.log;
    this.#server = parts.server;
    this.#browser = parts.browser;
    this.#otherOrigins = parts.otherOrigins;
  }

  /** A window without a session. Any error in it, and any request to another host, fails the test file. */
  async newWindow(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1_200, height: 900 }, ...options });
    this.#contexts.push(context);
    const page = await context.newPage();
    watchRequests(page);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.#errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    page.on('dialog', (dialog) => {
      this.#errors.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const isKnown = [this.address, this.publicAddress, ...this.#otherOrigins].some((start) =>
        request.url().startsWith(start),
      );
      if (!isKnown) this.#errors.push(`a request to ${request.url()}`);
    });
    return page;
  }

  /** A window on a page of the console, signed in with a token with these scopes. */
  async signedIn(
    fragment = '',
    {
      scopes = ['admin'],
      name = 'Grace, reviewer',
      ...options
    }: BrowserContextOptions & { scopes?: TokenScope[]; name?: string } = {},
  ): Promise<Page> {
    const page = await this.newWindow(options);
    const { token } = await this.data.newToken('operator', { scopes, name });
    await page.goto(this.address + fragment);
    await page.getByLabel('Operator token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').waitFor();
    return page;
  }

  /** Returns the errors so far and clears them, so that they do not fail the test file. */
  takeErrors(): string[] {
    return this.#errors.splice(0);
  }

  /** Fails if an error is left in any window, or if a secret was logged. */
  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
    await this.data.close();
    assert.deepEqual(this.#errors, []);
    assert.doesNotMatch(this.#log.text, /appreg_|@example\.com/);
  }
}

/** Signs out by the menu of the person. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

const streamPath = '/events/stream';
/** The requests of each window that are on their way, without the stream of events, which stays open. */
const pending = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on('request', (request) => {
    if (!request.url().includes(streamPath)) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Until nothing has been loaded for a while. */
export async function untilLoaded(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet += 1) {
    await page.waitForTimeout(50);
    if (pending.get(page)?.size) quiet = 0;
  }
}

/** Keeps what others do from a window: one that is hidden reads nothing by itself. */
export async function withoutEvents(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }));
  await page.reload();
}

/** How people have their colours. */
const media = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const;

/** Fails for each accessibility rule that a page violates, in light and dark mode and with forced colours. */
export async function assertAccessible(page: Page): Promise<void> {
  // What is loading is dimmed, and a dialog appears step by step.
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  const size = page.viewportSize();
  await showWhole(page);
  for (const features of media) {
    await page.emulateMedia(features);
    assert.deepEqual(await violationsOf(page), [], `${page.url()}, ${JSON.stringify(features)}`);
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  if (size) await page.setViewportSize(size);
}

/** A target that is partly behind a bar that stays in view counts as too small, although it can be scrolled. */
async function showWhole(page: Page): Promise<void> {
  const { width, height } = await page.evaluate(() => ({
    width: innerWidth,
    height: Math.max(innerHeight, document.documentElement.scrollHeight),
  }));
  await page.setViewportSize({ width, height });
}

async function violationsOf(page: Page): Promise<string[]> {
  // Through the DevTools protocol, as the content security policy blocks added scripts.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const run = `axe.run(document, { runOnly: ${JSON.stringify(axeTags)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;
  const { result } = await session.send('Runtime.evaluate', {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value;
}
