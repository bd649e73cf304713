import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Resolve } from './public-lookup.ts';

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
