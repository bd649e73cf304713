import { deleteClaimsUntil } from '../../../storage/queries/review/claims.ts';
import type { Registry } from '../../registry.ts';
import { trustedTime } from '../../trusted-time.ts';

/** Deletes the claims that have expired. Returns their number. */
export async function pruneClaims(registry: Registry): Promise<number> {
  const time = await trustedTime(registry);
  return registry.storage.write((transaction) => deleteClaimsUntil(transaction, { time }));
}
