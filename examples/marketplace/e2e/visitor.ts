import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Addresses } from '../setup/addresses.ts';

/** Email addresses and tokens, which no page may show. */
const secrets = /@example\.com|appreg_|eyJ[\w-]+\.eyJ/;

/** Less than the runner's limit for a test, so that a failure names the element that is missing. */
const waitMsMax = 100_000;

/** A person with a browser of their own. */
export class Visitor {
  readonly page: Page;
  readonly #addresses: Addresses;
  readonly #problems: string[] = [];

  static async open(browser: Browser, addresses: Addresses, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1_200, height: 900 }, ...options });
    context.setDefaultTimeout(waitMsMax);
    return new Visitor(await context.newPage(), addresses);
  }

  private constructor(page: Page, addresses: Addresses) {
    this.page = page;
    this.#addresses = addresses;
    page.on('pageerror', (error) => this.#problems.push(String(error)));
    page.on('response', async (response) => {
      const isOwn = [addresses.portal, addresses.storefront, addresses.sampleApp, addresses.guide].some((start) =>
        response.url().startsWith(start),
      );
      const type = response.headers()['content-type'] ?? '';
      if (!isOwn || !type.startsWith('text/html')) return;
      const body = await response.text().catch(() => '');
      if (secrets.test(body)) this.#problems.push(`${response.url()} shows ${secrets.exec(body)}`);
    });
  }

  goto(part: keyof Addresses, path = '/') {
    return this.page.goto(this.#addresses[part] + path);
  }

  /** Chooses a person on the page of the identity provider, and waits for the redirect back. */
  async signInAs(name: string, part: keyof Addresses): Promise<void> {
    await this.page.getByRole('button', { name }).click();
    await this.page.waitForURL((url) => url.href.startsWith(this.#addresses[part]));
  }

  click(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).click();
  }

  fill(label: string, text: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Waits until the page shows a text. */
  sees(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  /** Fails if a page has an error, or shows what no page may show. */
  async close(): Promise<void> {
    await this.page.context().close();
    assert.deepEqual(this.#problems, []);
  }
}
