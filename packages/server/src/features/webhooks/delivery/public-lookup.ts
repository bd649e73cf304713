import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../public-address.ts';

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
