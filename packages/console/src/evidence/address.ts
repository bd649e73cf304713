import { unicodeHost } from './punycode.ts';

/** A URL in the parts that a reviewer reads one by one. Joined, they are the URL as it was written. */
export interface AddressParts {
  scheme: string;
  host: string;
  port: string;
  path: string;
  query: string;
}

/** The parts of a URL; undefined if a browser would open another host than the one written. */
export function addressParts(url: string): AddressParts | undefined {
  const found = /^([a-z]+:\/\/)(\[[^\]]*\]|[^/:?#]*)(:\d*)?([^?#]*)(.*)$/s.exec(url);
  if (!found || !URL.canParse(url)) return undefined;
  const [, scheme = '', host = '', port = '', path = '', query = ''] = found;
  return new URL(url).hostname === host.toLowerCase() ? { scheme, host, port, path, query } : undefined;
}

/** The Unicode form of a host with punycode, if it has any. */
export function readAs(host: string): string | undefined {
  const unicode = unicodeHost(host.toLowerCase());
  return unicode === host.toLowerCase() ? undefined : unicode;
}
