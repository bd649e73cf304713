import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../registry/webhooks/public-address.ts';

/** As `dns.lookup` does it. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A host leads to an address that deliveries do not go to. */
class NotPublic extends Error {
  override readonly name = 'NotPublic';

  constructor(host: string, address: string) {
    const subject = host === address ? address : `${host} leads to ${address}, which`;
    super(`${subject} is not an address of the public internet. To deliver there set WEBHOOK_ALLOW_PRIVATE=1.`);
  }
}

/**
 * Makes what a connection resolves its host by: the addresses that it answers are the ones that it has judged, so
 * that a name cannot lead elsewhere between the two. Refuses a name when any of its addresses is not public.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const hidden = addresses?.find(({ address }) => !isPublicAddress(address));
      const refusal = error ?? (hidden ? new NotPublic(hostname, hidden.address) : null);
      const [first] = addresses ?? [];
      if (refusal || !first) callback(refusal ?? new Error(`${hostname} has no address`), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Refuses a host that is an address itself: nothing is looked up for it. */
export function refuseHiddenAddress({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host, host);
}
