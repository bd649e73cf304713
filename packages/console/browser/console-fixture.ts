import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { afterEach } from 'node:test';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { readConfig } from '../../server/src/config/config.ts';
import type { TokenScope } from '../../server/src/kernel/registry.ts';
import { type Server, startServer } from '../../server/src/serve.ts';
import { chromiumPath } from './chromium.ts';

/** WCAG 2.2 at level AA, and the best practices of axe. */
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface FixtureParts {
  data: RegistryFixture;
  log: CapturedLog;
  server: Server;
  address: string;
  publicAddress: string;
  otherOrigins: string[];
}

interface WindowOptions extends BrowserContextOptions {
  /** A window of its own, for a test that changes what stays, such as its clock or its connection. */
  isNew?: boolean;
}

const viewport = { width: 1_200, height: 900 };
/** Less than the runner's limit for a test, so that a failure names the element that is missing. */
const waitMsMax = 100_000;
/** Windows that no other test can use. */
const altered = new WeakSet<Page>();
/** Windows that show nothing. To load a page in one takes a quarter of the time that it takes in a new one. */
const emptyWindows: Page[] = [];
/** That of `unsent-decisions.ts`. */
const undoMs = 8_000;
const fixtures = new Set<ConsoleFixture>();
/** Which fixture a window belongs to, by its context. */
const owners = new WeakMap<BrowserContext, ConsoleFixture>();
let browser: Promise<Browser> | undefined;

// A file that fails must not leave its windows to the next one.
afterEach(async () => {
  for (const fixture of fixtures) await fixture.leaveWindows();
});

/** A real server, and windows with its console in the one browser of this process. */
export class ConsoleFixture {
  readonly data: RegistryFixture;
  /** The URL of the console, with a trailing slash. */
  readonly address: string;
  /** The URL of the public listener, with a trailing slash. */
  readonly publicAddress: string;
  readonly #server: Server;
  readonly #log: CapturedLog;
  /** The windows of the current test. */
  readonly #windows: Page[] = [];
  readonly #errors: string[] = [];
  readonly #reported = new EventEmitter();
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
    const address = `${environment.OPERATOR_BASE_URL ?? `http://127.0.0.1:${server.operatorAddress.port}`}/`;
    const publicAddress = `http://127.0.0.1:${server.publicAddress.port}/`;
    const fixture = new ConsoleFixture({ data, log, server, address, publicAddress, otherOrigins });
    fixtures.add(fixture);
    return fixture;
  }

  private constructor(parts: FixtureParts) {
    this.data = parts.data;
    this.address = parts.address;
    this.publicAddress = parts.publicAddress;
    this.#log = parts.log;
    this.#server = parts.server;
    this.#otherOrigins = parts.otherOrigins;
  }

  /** A window without a session. Any error in it, and any request to another host, fails the test. */
  async newWindow({ isNew, viewport: size = viewport, ...options }: WindowOptions = {}): Promise<Page> {
    const isOwn = isNew || Object.keys(options).length > 0;
    const empty = isOwn ? undefined : emptyWindows.pop();
    const page = empty ?? (await openWindow({ viewport: size, ...options }));
    if (isOwn) altered.add(page);
    if (empty && size) await page.setViewportSize(size);
    owners.set(page.context(), this);
    this.#windows.push(page);
    return page;
  }

  /** A window on a page of the console, signed in with a token with these scopes. */
  async signedIn(
    fragment = '',
    {
      scopes = ['admin'],
      name = 'Grace, reviewer',
      ...options
    }: WindowOptions & { scopes?: TokenScope[]; name?: string } = {},
  ): Promise<Page> {
    const page = await this.newWindow(options);
    const { token } = await this.data.newToken('operator', { scopes, name });
    const response = await page.context().request.post(`${this.address}session`, { data: { token } });
    assert.equal(response.status(), 204);
    await page.goto(this.address + fragment);
    await page.getByRole('banner').waitFor();
    return page;
  }

  /** At the end of a test: empties its windows for the next one. Fails if an error is left in one of them. */
  async leaveWindows(): Promise<void> {
    for (const page of this.#windows.splice(0)) {
      if (page.isClosed()) continue;
      if (altered.has(page) || page.context().pages().length > 1) await page.context().close();
      else await this.#empty(page);
    }
    assert.deepEqual(this.takeErrors(), []);
  }

  async #empty(page: Page): Promise<void> {
    const context = page.context();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.emulateMedia({ colorScheme: null, forcedColors: null });
    await page.mouse.move(0, 0);
    // A page of the same site keeps the process.
    await page.goto(`${this.address}session`);
    await context.clearCookies();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(this.address).origin, storageTypes: 'all' });
    await session.detach();
    emptyWindows.push(page);
  }

  /** Takes note of a message or a failure of a window. */
  report(error: string): void {
    this.#errors.push(error);
    this.#reported.emit('error-logged');
  }

  /** Whether a window may send a request to this address. */
  knows(url: string): boolean {
    return [this.address, this.publicAddress, ...this.#otherOrigins].some((start) => url.startsWith(start));
  }

  /** Returns the errors so far and clears them, so that they do not fail the test file. */
  takeErrors(): string[] {
    return this.#errors.splice(0);
  }

  /** Takes as many errors as the browser logs for failed requests, which can be after the page has shown them. */
  async takeLogged(count: number, why: string): Promise<void> {
    const signal = AbortSignal.timeout(waitMsMax);
    while (this.#errors.length < count && !signal.aborted) {
      await once(this.#reported, 'error-logged', { signal }).catch(() => {});
    }
    assert.equal(this.takeErrors().length, count, why);
  }

  /** Fails if a secret was logged. The last fixture closes the browser. */
  async close(): Promise<void> {
    fixtures.delete(this);
    if (fixtures.size === 0) await (await browser)?.close();
    await this.#server.stop();
    await this.data.close();
    assert.doesNotMatch(this.#log.text, /appreg_|@example\.com/);
  }
}

async function openWindow(options: BrowserContextOptions): Promise<Page> {
  // The sandbox of Chromium does not work for root.
  browser ??= chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(waitMsMax);
  const report = (error: string) => owners.get(context)?.report(error);
  context.on('console', (message) => {
    const { url } = message.location();
    // A page without an icon of its own, such as one that is JSON.
    if (url.endsWith('/favicon.ico')) return;
    if (['error', 'warning'].includes(message.type())) report(`${message.text()} ${url}`);
  });
  context.on('weberror', (error) => report(String(error.error())));
  context.on('dialog', (dialog) => {
    report(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (!owners.get(context)?.knows(request.url())) report(`a request to ${request.url()}`);
  });
  const page = await context.newPage();
  watchRequests(page);
  return page;
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

/** Until nothing is being loaded, and what has been loaded is drawn. */
export async function untilLoaded(page: Page): Promise<void> {
  do {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.evaluate(drawn);
  } while (pending.get(page)?.size);
}

/** Sends the decisions that can still be undone, by leaving the review. */
export async function sendDecisions(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/apps';
  });
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
  await untilLoaded(page);
}

/** In the browser: until the effects of what is drawn have begun their requests. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Loads the page again with a stream of events that begins now. By itself it begins up to a second before. */
export async function reloadWithoutPast(page: Page): Promise<void> {
  const later = async (route: Route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('since', new Date().toISOString());
    await route.continue({ url: url.href });
  };
  await page.route(`**${streamPath}?*`, later, { times: 1 });
  await page.reload();
}

/** Keeps what others do from a window: one that is hidden reads nothing by itself. */
export async function withoutEvents(page: Page): Promise<void> {
  altered.add(page);
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }));
  await page.reload();
}

/** Gives people on a busy machine all the time to undo a decision: it is sent for another reason than its age. */
export async function withoutEndOfUndo(page: Page): Promise<void> {
  altered.add(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript((ms) => {
    const { setTimeout } = window;
    const later = (run: () => void, after = 0) => (after === ms ? 0 : setTimeout.call(window, run, after));
    Object.assign(window, { setTimeout: later });
  }, undoMs);
  await page.reload();
}

/** Leaves a few rows and items of each list, as the others are drawn alike and take as long to check. */
export async function hideRepeated(page: Page): Promise<void> {
  await page.evaluate(() => {
    const repeated = document.querySelectorAll<HTMLElement>('main :is(tbody, ul, ol) > :nth-child(n + 7)');
    for (const element of repeated) element.style.setProperty('display', 'none', 'important');
  });
}

/** How people have their colours. */
const media = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const;

/** Fails for each accessibility rule that a page violates. Only the contrast depends on the colours. */
export async function assertAccessible(page: Page): Promise<void> {
  // What is loading is dimmed, and a dialog appears step by step.
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  const size = page.viewportSize();
  await showWhole(page);
  // Through the DevTools protocol, as the content security policy blocks added scripts.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  for (const [at, features] of media.entries()) {
    await page.emulateMedia(features);
    const violations = await violationsOf(session, at === 0 ? axeTags : ['color-contrast']);
    assert.deepEqual(violations, [], `${page.url()}, ${JSON.stringify(features)}`);
  }
  await session.detach();
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  if (size) await page.setViewportSize(size);
}

/** A target that is partly behind a bar that stays in view counts as too small, although it can be scrolled. */
async function showWhole(page: Page): Promise<void> {
  const { width, height } = await page.evaluate(() => ({
    width: innerWidth,
    // Also what a part of the page scrolls by itself.
    height:
      innerHeight +
      Math.max(
        0,
        ...[...document.querySelectorAll('html, .queue-pane, .review-evidence, .review-context')].map(
          ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
        ),
      ),
  }));
  await page.setViewportSize({ width, height });
}

async function violationsOf(session: CDPSession, runOnly: string[]): Promise<string[]> {
  const run = `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], preload: false })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;
  const { result } = await session.send('Runtime.evaluate', {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value;
}
