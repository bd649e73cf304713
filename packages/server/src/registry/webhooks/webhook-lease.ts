import {
  listLeasesOf,
  listLeases as listStored,
  releaseLeases,
  renewLeases,
  takeLease,
} from '../../storage/queries/webhook-leases.ts';
import type { Registry } from '../registry.ts';

/** The lease of an enabled webhook. */
export interface Lease {
  webhookId: string;
  /** The process that serves it; null when it is free. */
  holder: string | null;
  /** Changes with each renewal. */
  beat: number;
}

export async function listLeases({ storage }: Registry): Promise<Lease[]> {
  const rows = await listStored(storage.reader, {});
  return rows.map(({ id, lease_holder, lease_beat }) => ({ webhookId: id, holder: lease_holder, beat: lease_beat }));
}

/**
 * Renews the leases of a process and takes those of the given ones that have not been renewed or taken since. Returns
 * the ids of all webhooks that it holds then.
 */
export function holdWebhooks(
  { storage }: Registry,
  { holder, take }: { holder: string; take: Lease[] },
): Promise<string[]> {
  return storage.write(async (transaction) => {
    await renewLeases(transaction, { holder });
    for (const { webhookId, beat } of take) await takeLease(transaction, { id: webhookId, holder, beat });
    return (await listLeasesOf(transaction, { holder })).map(({ id }) => id);
  });
}

/** Releases all leases of a process, so that others can take them at once. */
export async function releaseWebhooks({ storage }: Registry, { holder }: { holder: string }): Promise<void> {
  await storage.write((transaction) => releaseLeases(transaction, { holder }));
}
