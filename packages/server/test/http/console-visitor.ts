import assert from 'node:assert/strict';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { readResponse } from '@appregistrar/testkit/http/send';
import { CookieBrowser } from './cookie-browser.ts';

/** Someone who signs in to the console with a browser. */
export class ConsoleVisitor {
  readonly #console: string;
  readonly #browser = new CookieBrowser();

  constructor(address: string) {
    this.#console = address;
  }

  /** The console's cookies. */
  get cookies(): Map<string, string> {
    return this.#browser.cookiesOf(this.#console);
  }

  /** Sends a request as a page of the console does. */
  async send<View = unknown>(method: string, path: string, body?: object): Promise<HttpResponse<View>> {
    const headers = {
      // An idle one would delay the end of the service.
      connection: 'close',
      origin: new URL(this.#console).origin,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await this.#browser.fetch(new URL(path, this.#console), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return readResponse<View>(response);
  }

  /** Submits a form to the provider, and returns the query that the provider redirects back with. */
  async goToProvider(form: Record<string, string>): Promise<string> {
    const started = await this.send<{ location: string }>('POST', '/session/authorization-request');
    assert.equal(started.status, 200, started.text);
    const provider = new URL(started.view.location);
    const page = await this.#follow(await this.#browser.fetch(provider), provider);
    if (page.url.href.startsWith(this.#console)) return page.url.search.slice(1);
    const submitted = await this.#browser.fetch(page.url, { method: 'POST', body: new URLSearchParams(form) });
    const back = await this.#follow(submitted, page.url);
    assert.ok(back.url.href.startsWith(this.#console), `${back.url}: ${await back.response.text()}`);
    return back.url.search.slice(1);
  }

  finish(query: string): Promise<HttpResponse> {
    return this.send('POST', '/session/authorization-response', { query });
  }

  async signIn(login: string): Promise<HttpResponse> {
    return this.finish(await this.goToProvider({ login }));
  }

  /** The console's page is the same for all redirects. */
  #follow(response: Response, from: URL) {
    return this.#browser.follow(response, from, ({ href }) => href.startsWith(this.#console));
  }
}
