import type { Registry } from '../../../../kernel/registry.ts';
import { trustedTime } from '../../../../kernel/trusted-time.ts';
import { deleteClaimsUntil } from './claim-queries.ts';

/** Deletes the claims that have expired. Returns their number. */
export async function pruneClaims(registry: Registry): Promise<number> {
  const time = await trustedTime(registry);
  return registry.storage.write((transaction) => deleteClaimsUntil(transaction, { time }));
}
