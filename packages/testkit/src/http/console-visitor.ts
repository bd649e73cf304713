import assert from 'node:assert/strict';
import type { HttpResponse } from './http-response.ts';
import { readResponse } from './send.ts';

/** The part of a browser that signing in to the console needs: cookies for each host, and redirects. */
export class ConsoleVisitor {
  readonly #console: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(address: string) {
    this.#console = address;
  }

  /** The console's cookies. */
  get cookies(): Map<string, string> {
    return this.#jar(this.#console);
  }

  /** Sends a request as a page of the console does. */
  async send<View = unknown>(method: string, path: string, body?: object): Promise<HttpResponse<View>> {
    const headers = {
      origin: new URL(this.#console).origin,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await this.#fetch(new URL(path, this.#console), {
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
    const page = await this.#follow(await this.#fetch(new URL(started.view.location)), started.view.location);
    if (page.url.href.startsWith(this.#console)) return page.url.search.slice(1);
    const submitted = await this.#fetch(page.url, { method: 'POST', body: new URLSearchParams(form) });
    const back = await this.#follow(submitted, page.url.href);
    assert.ok(back.url.href.startsWith(this.#console), `${back.url}: ${await back.response.text()}`);
    return back.url.search.slice(1);
  }

  finish(query: string): Promise<HttpResponse> {
    return this.send('POST', '/session/authorization-response', { query });
  }

  async signIn(login: string): Promise<HttpResponse> {
    return this.finish(await this.goToProvider({ login }));
  }

  async #follow(first: Response, from: string): Promise<{ response: Response; url: URL }> {
    let [response, url] = [first, new URL(from)];
    while (response.status >= 300 && response.status < 400) {
      url = new URL(response.headers.get('location') as string, url);
      // The console's page is the same for all redirects.
      if (url.href.startsWith(this.#console)) break;
      response = await this.#fetch(url);
    }
    return { response, url };
  }

  async #fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = this.#jar(url.href);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
      if (value === '' || /max-age=0/i.test(field)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  #jar(address: string): Map<string, string> {
    const { host } = new URL(address);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }
}
