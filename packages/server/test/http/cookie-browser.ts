/** The part of a browser that a sign-in needs: cookies for each host, and redirects. */
export class CookieBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = this.cookiesOf(url.href);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
      if (value === '' || /max-age=0/i.test(field)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows the redirects of a response, up to the first that `isEnd` accepts. */
  async follow(
    first: Response,
    from: URL,
    isEnd: (url: URL) => boolean = () => false,
  ): Promise<{ response: Response; url: URL }> {
    let [response, url] = [first, from];
    while (response.status >= 300 && response.status < 400) {
      url = new URL(response.headers.get('location') as string, url);
      if (isEnd(url)) break;
      response = await this.fetch(url);
    }
    return { response, url };
  }

  cookiesOf(address: string): Map<string, string> {
    const { host } = new URL(address);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }
}
