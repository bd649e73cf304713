import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Marketplace } from '../setup/marketplace.ts';
import { eventually } from './eventually.ts';
import { Visitor } from './visitor.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#1864ab"/>
  <path d="M7 9h9l-2-2M17 15H8l2 2" fill="none" stroke="#fff" stroke-width="1.5"/></svg>`;

/** The life of one app in the marketplace, as each person sees it in a browser. */
export class Story {
  readonly ada: Visitor;
  readonly ruth: Visitor;
  readonly noor: Visitor;
  readonly #name: string;
  readonly #marketplace: Marketplace;
  #id = '';

  static async begin(
    name: string,
    marketplace: Marketplace,
    browser: Browser,
    options: BrowserContextOptions = {},
  ): Promise<Story> {
    const open = () => Visitor.open(browser, marketplace.addresses, options);
    const story = new Story(name, marketplace, [await open(), await open(), await open()]);
    await story.#signIn();
    return story;
  }

  private constructor(name: string, marketplace: Marketplace, [ada, ruth, noor]: [Visitor, Visitor, Visitor]) {
    this.#name = name;
    this.#marketplace = marketplace;
    [this.ada, this.ruth, this.noor] = [ada, ruth, noor];
  }

  get #callback(): string {
    return `${this.#marketplace.addresses.sampleApp}/callback`;
  }

  async publish(): Promise<void> {
    const { ada } = this;
    await ada.fill('New app', this.#name);
    await ada.click('Create');
    await ada.page.waitForURL('**/apps/*');
    this.#id = ada.page.url().split('/').at(-1) ?? '';
    await ada.fill('Callback URL', 'http://example.com/callback');
    await ada.click('Save');
    await ada.page.locator('.bad[data-at="oauthInfo.callbackUrl"]').waitFor();
    assert.equal(await ada.page.getByLabel('Callback URL').inputValue(), 'http://example.com/callback');
    await ada.fill('Short description', 'Invoices.');
    await ada.page.locator('.card').getByText('Invoices.').waitFor();
    await ada.fill('Colour', '#d0ebff');
    await ada.fill('Login URL', `${this.#marketplace.addresses.sampleApp}/login`);
    await ada.fill('Callback URL', this.#callback);
    await ada.page
      .getByLabel('Logo')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) });
    await ada.click('Save');
    await ada.sees('Saved.');
    await ada.page.locator('.card img').waitFor();
    await this.#submit('Submit for review');
    assert.deepEqual(await this.#offered(), [], 'no customer sees it yet');
  }

  /** `beforeSending` sees the comment as the reviewer has written it. */
  async reject(beforeSending: () => Promise<unknown> = async () => {}): Promise<void> {
    const { ada, ruth } = this;
    await this.#review();
    await ruth.click('Comment on Short description');
    await ruth.fill('Comment on Short description', 'Say what it does with them.');
    await ruth.page.keyboard.press('Escape');
    await beforeSending();
    await ruth.page.keyboard.press('r');
    await ruth.fill('Message to the developer', 'Almost there.');
    await ruth.page.keyboard.press('Control+Enter');
    await ruth.page.getByRole('status').getByText('Sent back').waitFor();
    await this.#leaveReview();
    // Without a reload.
    await ada.sees('Almost there.');
    await ada.page.locator('.warn[data-at="listingInfo.shortDescription"]').getByText('Say what it does').waitFor();
    await ada.page.getByRole('region', { name: 'History' }).getByText('Sent back').waitFor();
  }

  /** In two windows: changes of different fields are merged, and a field that both have changed is shown. */
  async resubmit(): Promise<void> {
    const { ada } = this;
    const other = await ada.page.context().newPage();
    const url = ada.page.url().replace(/\?.*/, '');
    for (const page of [ada.page, other]) await page.goto(url);
    await other.getByLabel('Description', { exact: true }).fill('Copies every invoice to the ledger.');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Saved.').waitFor();
    await ada.fill('Short description', 'Keeps invoices and ledgers in step.');
    await ada.click('Save');
    await ada.sees('Saved and merged with changes from another window: Description.');
    await ada.page.locator('.good[data-at="listingInfo.shortDescription"]').getByText('Changed since').waitFor();
    await other.getByLabel('Short description').fill('Their words.');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Another window has changed: Short description.').waitFor();
    assert.equal(await other.getByLabel('Short description').inputValue(), 'Their words.');
    await other.close();
    await ada.page.goto(url);
    await this.#submit('Submit again');
  }

  async approve(): Promise<void> {
    await this.#approve();
    await eventually(async () => (await this.#offered()).includes(this.#name));
  }

  async install(): Promise<void> {
    const { ada, noor } = this;
    await noor.follow(this.#name);
    await noor.sees('by Ada Lovelace');
    await noor.sees('the name of who signs in and the name of your workspace');
    await noor.click('Install in Harbour Bakery');
    await noor.sees(`${this.#name} is installed in Harbour Bakery.`);
    await noor.sees('Enabled');
    await noor.click(`Disable ${this.#name}`);
    await noor.sees('Disabled');
    await noor.click(`Enable ${this.#name}`);
    await noor.sees('Enabled');
    await ada.page.reload();
    await ada.sees('1 install ·');
  }

  /** The third-party app learns who the customer is, and keeps its access. */
  async signInByOAuth(): Promise<void> {
    const { noor } = this;
    await noor.goto('storefront', '/workspace');
    await eventually(async () => {
      await noor.follow('Open');
      if (await noor.page.getByRole('button', { name: 'Allow' }).isVisible()) return true;
      await noor.goto('storefront', '/workspace');
      return false;
    });
    await noor.click('Allow');
    await noor.sees('Hello, Noor Haddad');
    await noor.sees('Harbour Bakery');
    await noor.click('Renew access');
    await noor.sees('still has access');
  }

  /** A changed callback URL is not honoured before it is approved, and the former one is not honoured after. */
  async change(): Promise<void> {
    const { ada } = this;
    const changed = `${this.#callback}/v2`;
    await ada.fill('Callback URL', changed);
    await ada.click('Save');
    await ada.sees('Your change is held');
    await ada.sees('Callback URL');
    assert.deepEqual(await this.#honoured(this.#callback, changed), [true, false]);
    await this.#approve();
    await eventually(async () => `${await this.#honoured(this.#callback, changed)}` === 'false,true');
  }

  /** Returns after how many milliseconds no customer finds the app, and no sign-in to it starts. */
  async revoke(): Promise<number> {
    const { ada, ruth, noor } = this;
    await this.#review();
    await ruth.click('More');
    await ruth.click('Revoke');
    await ruth.fill('Message to the developer', 'It sends spam.');
    await ruth.page.getByLabel('Disable every installation').check();
    await ruth.page.keyboard.press('Control+Enter');
    await ruth.sees('Revoked the approval of');
    const revokedAt = performance.now();
    await eventually(async () => (await this.#storefrontStatus()) === 404);
    await eventually(async () => `${await this.#honoured(`${this.#callback}/v2`)}` === 'false');
    const goneAfterMs = Math.round(performance.now() - revokedAt);
    assert.deepEqual(await this.#offered(), []);
    await noor.goto('storefront', '/workspace');
    await noor.sees('No apps yet.');
    await noor.goto('sampleApp');
    await noor.click('Renew access');
    await noor.sees('no longer has access');
    await ada.page.reload();
    await ada.sees('It sends spam.');
    return goneAfterMs;
  }

  /** The receiver has received every event, in order. */
  async readEvents(): Promise<void> {
    await this.noor.goto('guide');
    const texts = () => this.noor.page.locator('#events li', { hasText: this.#id }).locator('.type').allTextContents();
    // After a kill, the next process of the registry delivers what is left within 15 seconds.
    await eventually(async () => (await texts()).includes('app.revoked'));
    const steps = (await texts()).toReversed().filter((type) => type !== 'app.updated');
    const expected = ['created', 'submitted', 'rejected', 'submitted', 'approved', 'change_approved', 'revoked'];
    assert.deepEqual(
      steps,
      expected.map((step) => `app.${step}`),
    );
  }

  async end(): Promise<void> {
    for (const visitor of [this.ada, this.ruth, this.noor]) await visitor.close();
  }

  async #signIn(): Promise<void> {
    const { ada, ruth, noor } = this;
    await ada.goto('portal');
    await ada.follow('Sign in as a developer');
    await ada.signInAs('Ada Lovelace', 'portal');
    await ruth.goto('console');
    await ruth.click('Sign in with your identity provider');
    await ruth.signInAs('Ruth Moreno', 'console');
    await ruth.page.getByRole('banner').waitFor();
    await noor.goto('storefront');
    await noor.follow('Sign in');
    await noor.signInAs('Noor Haddad', 'storefront');
  }

  async #submit(button: string): Promise<void> {
    await this.ada.click(button);
    await this.ada.sees('A reviewer will decide on it.');
  }

  async #review(): Promise<void> {
    await this.ruth.goto('console', `/#/review/${this.#id}`);
    await this.ruth.page.reload();
    await this.ruth.page.getByRole('heading', { name: this.#name, level: 1 }).waitFor();
  }

  async #approve(): Promise<void> {
    await this.#review();
    await this.ruth.page.getByRole('button', { name: 'Approve' }).click();
    await this.ruth.page.getByRole('status').getByText(`Approved ${this.#name}`).waitFor();
    await this.#leaveReview();
  }

  /** Sends the decision, which could be undone until then. */
  async #leaveReview(): Promise<void> {
    await this.ruth.goto('console', '/#/apps');
    await this.ruth.page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
  }

  /** The names of the apps that the storefront finds by the name of the app. */
  async #offered(): Promise<string[]> {
    await this.noor.goto('storefront', `/?q=${encodeURIComponent(this.#name)}`);
    return this.noor.page.locator('.card h2').allTextContents();
  }

  async #storefrontStatus(): Promise<number> {
    return (await fetch(`${this.#marketplace.addresses.storefront}/apps/${this.#id}`, { redirect: 'manual' })).status;
  }

  /** Whether the OAuth server starts a sign-in that returns to each of these URLs. */
  #honoured(...addresses: string[]): Promise<boolean[]> {
    return Promise.all(
      addresses.map(async (address) => {
        const query = new URLSearchParams({
          client_id: this.#id,
          redirect_uri: address,
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        });
        const { status } = await fetch(`${this.#marketplace.addresses.identity}/auth?${query}`, { redirect: 'manual' });
        return status === 303;
      }),
    );
  }
}
