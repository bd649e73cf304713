import {
  listLeasesOf,
  listLeases as listStored,
  releaseLease,
  releaseLeases,
  renewLeases,
  takeLease,
} from '../../storage/queries/webhooks.ts';
import type { Registry } from '../registry.ts';

/** The lease of an enabled webhook. */
export interface Lease {
  webhookId: string;
  /** The process that serves it; null when it is free. */
  holder: string | null;
  /** Changes with each renewal. */
  beat: number;
  /** Whether this process has the key of the secret that signs its deliveries. */
  canSign: boolean;
}

export async function listLeases({ storage, secrets }: Registry): Promise<Lease[]> {
  const rows = await listStored(storage.reader, {});
  return rows.map(({ id, secret, lease_holder, lease_beat }) => ({
    webhookId: id,
    holder: lease_holder,
    beat: lease_beat,
    canSign: secrets.open(secret, id) !== null,
  }));
}

/**
 * Renews the leases of a process, releases some, and takes those of the given ones that have not been renewed or taken
 * since. Returns the ids of all webhooks that it holds then.
 */
export function holdWebhooks(
  { storage }: Registry,
  { holder, take, release }: { holder: string; take: Lease[]; release: Lease[] },
): Promise<string[]> {
  return storage.write(async (transaction) => {
    for (const { webhookId: id } of release) await releaseLease(transaction, { id, holder });
    await renewLeases(transaction, { holder });
    for (const { webhookId, beat } of take) await takeLease(transaction, { id: webhookId, holder, beat });
    return (await listLeasesOf(transaction, { holder })).map(({ id }) => id);
  });
}

/** Releases all leases of a process, so that others can take them at once. */
export async function releaseWebhooks({ storage }: Registry, { holder }: { holder: string }): Promise<void> {
  await storage.write((transaction) => releaseLeases(transaction, { holder }));
}
