import assert from 'node:assert/strict';
import { CookieBrowser } from '../http/cookie-browser.ts';

/** Opens the page that a device shows to a person, confirms its code, or aborts, and signs in. Returns the last page. */
export async function confirmDevice(
  address: string,
  { login, abort = false }: { login: string; abort?: boolean },
): Promise<string> {
  const browser = new CookieBrowser();
  const url = new URL(address);
  const code = url.searchParams.get('user_code') ?? '';
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await (await browser.fetch(url)).text()) ?? [];
  const post = (to: URL, form: Record<string, string>) =>
    browser.fetch(to, { method: 'POST', body: new URLSearchParams(form) });
  const page = new URL(url.pathname, url);
  const confirmed = await post(page, { xsrf, user_code: code, ...(abort ? { abort: 'yes' } : { confirm: 'yes' }) });
  if (abort) return confirmed.text();
  const form = await browser.follow(confirmed, page);
  assert.equal(form.response.status, 200, await form.response.text());
  const { response } = await browser.follow(await post(form.url, { login }), form.url);
  assert.equal(response.status, 200);
  return response.text();
}
