// RFC 3986, absolute-URI (which has no fragment), without user info and without `*` in the host.
// The character classes exclude the backslash, the space and every character outside ASCII.
const pctEncoded = '%[0-9A-Fa-f]{2}';
const unreservedAndSubDelims = "A-Za-z0-9\\-._~!$&'()*+,;=";
const host = `(?:\\[[0-9A-Fa-f:.]+\\]|(?:[A-Za-z0-9\\-._~!$&'()+,;=]|${pctEncoded})+)`;
const loopbackHost = '(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';
const path = `(?:/(?:[${unreservedAndSubDelims}:@]|${pctEncoded})*)*`;
const query = `(?:\\?(?:[${unreservedAndSubDelims}:@/?]|${pctEncoded})*)?`;
const afterHost = `(?::[0-9]*)?${path}${query}`;

/** What `isAppUrl` requires, but for what the parser must find. */
export const appUrlPattern = `^(?:https://${host}|http://${loopbackHost})${afterHost}$`;
/** What `isHttpUrl` requires, but for what the parser must find. */
export const httpUrlPattern = `^https?://${host}${afterHost}$`;

const appUrl = new RegExp(appUrlPattern);
const httpUrl = new RegExp(httpUrlPattern);
const writtenHost = /^https?:\/\/(\[.*?\]|[^/:?]*)/;

/**
 * Whether an app may send its users to this URL: https, or http on the loopback interface (decision 10, after
 * OAuth 2.1). The WHATWG parser must find the same host, or a browser would open another host than the one that a
 * reviewer read.
 */
export function isAppUrl(value: string): boolean {
  return appUrl.test(value) && isReadAsWritten(value);
}

/** The same, with http for any host. */
export function isHttpUrl(value: string): boolean {
  return httpUrl.test(value) && isReadAsWritten(value);
}

function isReadAsWritten(value: string): boolean {
  const [, written = ''] = writtenHost.exec(value) ?? [];
  return URL.canParse(value) && new URL(value).hostname === written.toLowerCase();
}
