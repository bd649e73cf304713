import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';

/** IANA's special-purpose addresses, and addresses of cloud services beyond them. */
const specialIPv4 = networks('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocols
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const globalIPv6 = networks('ipv6', ['2000::/3']);

const specialIPv6 = networks('ipv6', [
  '2001::/23', // IETF protocols, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: embeds any IPv4 address
  '3fff::/20', // documentation
]);

/** The last 32 bits of these are an IPv4 address: mapped, and behind NAT64. */
const carriesIPv4 = networks('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/**
 * Validation errors of a webhook's address beyond its syntax: it must start with `https://` and must not visibly be
 * outside the public internet. What a name resolves to is checked at each delivery.
 */
export function addressErrors({ webhookAllowPrivate }: Registry, url: string): ValidationError[] {
  if (webhookAllowPrivate) return [];
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const errors: ValidationError[] = [];
  if (protocol !== 'https:') errors.push(notAllowed('The value must start with https://.'));
  if (!isReachable(host)) errors.push(notAllowed(`The host must be on the public internet; ${host} is not.`));
  return errors;
}

/** RFC 6761: names below `localhost` are this machine. */
function isReachable(host: string): boolean {
  return isIP(host) !== 0 ? isPublicAddress(host) : !/(^|\.)localhost\.?$/.test(host);
}

function notAllowed(reason: string): ValidationError {
  return { pointer: '/url', code: 'not_allowed', detail: `${reason} To deliver there, set WEBHOOK_ALLOW_PRIVATE=1.` };
}

/**
 * Whether an IP address, as text without brackets, is on the public internet. Doubtful ones are not: loopback, private,
 * link-local, shared, multicast, documentation, reserved, and IPv6 addresses that embed one of those.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIPv4.check(address, 'ipv4');
  // An address with a zone belongs to one link.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (carriesIPv4.check(address, 'ipv6')) return isPublicAddress(lastIPv4(address));
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

function networks(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The last 32 bits of an IPv6 address, as an IPv4 address. */
function lastIPv4(address: string): string {
  // A URL normalises an IPv6 address to one form without dots.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high, low].flatMap((group = 0) => [group >> 8, group & 255]).join('.');
}

/** The signature of `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A host resolves to an address to which no delivery may go. */
class NotPublic extends Error {
  override readonly name = 'NotPublic';

  constructor(host: string, address: string) {
    const subject = host === address ? address : `${host} resolves to ${address}, which`;
    super(`${subject} is not a public internet address. To allow it, set WEBHOOK_ALLOW_PRIVATE=1.`);
  }
}

/**
 * Resolves the host of a connection to addresses that it has checked itself, so that a name cannot resolve to another
 * address in between. Rejects a name if any of its addresses is not allowed.
 */
export function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const hidden = addresses?.find(({ address }) => !isAllowed(address));
      const failure = error ?? (hidden ? new NotPublic(hostname, hidden.address) : null);
      const [first] = addresses ?? [];
      if (failure || !first) callback(failure ?? new Error(`${hostname} has no address`), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Rejects a literal address that is not public: no lookup happens for it. */
export function rejectHiddenAddress({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host, host);
}

/**
 * Resolves names by querying name servers, by default those of the system. `dns.lookup` would use one of the process's
 * few threads per name, so unresponsive names of one webhook would block all others.
 */
export function queryNameServers(servers?: string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname, _, callback) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (addresses.length > 0) callback(null, addresses);
    else callback(four.status === 'rejected' ? four.reason : null, []);
  };
}

function addressesOf(settled: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}
