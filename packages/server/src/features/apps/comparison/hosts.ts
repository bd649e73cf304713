import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import { isAppUrl } from '../../../kernel/text.ts';

/** The host of a URL, as lists and reviewers use it. */
export interface Host {
  /** In lower case and ASCII, as the parser of browsers reads it, without a final dot. An IPv6 address is in brackets. */
  name: string;
  /** As people read it: Unicode in place of punycode. */
  unicode: string;
  isIpAddress: boolean;
  /** Whether a label of it is punycode. */
  isPunycode: boolean;
}

/** The host of an absolute URL; null when there is none. */
export function urlHost(url: string): Host | null {
  if (!URL.canParse(url)) return null;
  const name = new URL(url).hostname.replace(/(?<=.)\.$/, '');
  return name === '' ? null : hostNamed(name);
}

/**
 * Whose host it is: its registrable domain, by the public suffix list. Two customers of one hosting domain, such as
 * `one.github.io` and `two.github.io`, are two sites. A host without such a domain is a site of its own.
 */
export function siteOf(host: Host): Host {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  const domain = host.isIpAddress ? null : getDomain(host.name, options);
  return domain === null ? host : hostNamed(domain);
}

function hostNamed(name: string): Host {
  return {
    name,
    // Empty where the punycode is of no text.
    unicode: domainToUnicode(name) || name,
    isIpAddress: isIpAddress(name),
    isPunycode: name.split('.').some((label) => label.startsWith('xn--')),
  };
}

/** A host as a person typed it, possibly in Unicode or with the start of a URL; null when it is invalid. */
export function readHost(text: string): Host | null {
  const [, host = text] = /^https?:\/\/(.*)$/i.exec(text) ?? [];
  if (/[\s/?#@\\]/.test(host) || (/:\d*$/.test(host) && !host.endsWith(']'))) return null;
  const read = urlHost(`https://${host}/`);
  // No app has such a host, nor one below it: with an empty label, such as `.evil.example`, or with a wildcard, also one that
  // becomes `*` only as the parser reads it, such as U+FE61.
  return read && !read.name.split('.').includes('') && isAppUrl(`https://${read.name}/`) ? read : null;
}

/** The validation error of a text that `readHost` finds no host in. */
export function notAHost(pointer: string): ValidationError {
  const detail = 'The value must be a host such as evil.example, without port, path or wildcard.';
  return { pointer, code: 'invalid_format', detail };
}

/**
 * The labels of a host from the last to the first, each with a dot after it: `evil.example` is `example.evil.`, with which
 * the keys of its subdomains start. An IP address has no subdomains and stays in its order.
 */
export function hostKey({ name, isIpAddress }: Host): string {
  return isIpAddress ? `${name}.` : `${name.split('.').toReversed().join('.')}.`;
}

/** The host of a key. */
export function hostOfKey(key: string): string {
  const name = key.slice(0, -1);
  return isIpAddress(name) ? name : name.split('.').toReversed().join('.');
}

/** The keys of a host and of the hosts above it: `example.`, `example.evil.` and so on. */
export function keysAbove(key: string): string[] {
  const labels = key.split('.').slice(0, -1);
  return labels.map((_, at) => `${labels.slice(0, at + 1).join('.')}.`);
}

function isIpAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
