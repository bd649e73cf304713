import assert from 'node:assert/strict';
import { Answer } from './response.ts';

/** A browser as far as signing in to the console goes: it keeps the cookies of each host, and follows where it is led. */
export class ConsoleVisitor {
  readonly #console: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(address: string) {
    this.#console = address;
  }

  /** The cookies that it sends to the console. */
  get cookies(): Map<string, string> {
    return this.#jar(this.#console);
  }

  /** As a page of the console asks. */
  async ask<View = unknown>(method: string, path: string, body?: object): Promise<Answer<View>> {
    const headers = {
      origin: new URL(this.#console).origin,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await this.#fetch(new URL(path, this.#console), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return new Answer<View>(response.status, Object.fromEntries(response.headers), await response.text());
  }

  /** Goes to the provider, tells it something, and answers the query that the provider sends it back with. */
  async goToProvider(form: Record<string, string>): Promise<string> {
    const begun = await this.ask<{ location: string }>('POST', '/session/authorization-request');
    assert.equal(begun.status, 200, begun.text);
    const page = await this.#follow(await this.#fetch(new URL(begun.view.location)), begun.view.location);
    if (page.url.href.startsWith(this.#console)) return page.url.search.slice(1);
    const told = await this.#fetch(page.url, { method: 'POST', body: new URLSearchParams(form) });
    const back = await this.#follow(told, page.url.href);
    assert.ok(back.url.href.startsWith(this.#console), `${back.url}: ${await back.response.text()}`);
    return back.url.search.slice(1);
  }

  finish(query: string): Promise<Answer> {
    return this.ask('POST', '/session/authorization-response', { query });
  }

  async signIn(login: string): Promise<Answer> {
    return this.finish(await this.goToProvider({ login }));
  }

  async #follow(first: Response, from: string): Promise<{ response: Response; url: URL }> {
    let [response, url] = [first, new URL(from)];
    while (response.status >= 300 && response.status < 400) {
      url = new URL(response.headers.get('location') as string, url);
      // Its page is the same for everybody.
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
