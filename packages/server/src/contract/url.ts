const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

// RFC 3986, absolute-URI (which has no fragment), without user info and without `*` in the host.
// The character classes exclude the backslash, the space and every character outside ASCII.
const pctEncoded = '%[0-9A-Fa-f]{2}';
const unreservedAndSubDelims = "A-Za-z0-9\\-._~!$&'()*+,;=";
const host = `(?<host>\\[[0-9A-Fa-f:.]+\\]|(?:[A-Za-z0-9\\-._~!$&'()+,;=]|${pctEncoded})+)`;
const path = `(?:/(?:[${unreservedAndSubDelims}:@]|${pctEncoded})*)*`;
const query = `(?:\\?(?:[${unreservedAndSubDelims}:@/?]|${pctEncoded})*)?`;
const absoluteUri = new RegExp(`^(?<scheme>https?)://${host}(?::[0-9]*)?${path}${query}$`);

/**
 * Whether an app may send its users to this URL: https, or http on the loopback interface (decision 10, after
 * OAuth 2.1). The WHATWG parser must find the same host, or a browser would open another host than the one that a
 * reviewer read.
 */
export function isAppUrl(value: string): boolean {
  const parts = partsOf(value);
  return parts !== null && (parts.scheme === 'https' || loopbackHosts.has(parts.host));
}

/** The same, with http for any host. */
export function isHttpUrl(value: string): boolean {
  return partsOf(value) !== null;
}

function partsOf(value: string): { scheme: string; host: string } | null {
  const { scheme, host } = absoluteUri.exec(value)?.groups ?? {};
  if (scheme === undefined || host === undefined || !URL.canParse(value)) return null;
  return new URL(value).hostname === host.toLowerCase() ? { scheme, host } : null;
}
