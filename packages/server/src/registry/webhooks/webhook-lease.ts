import {
  listLeasesOf,
  listLeases as listStored,
  releaseLeases,
  renewLeases,
  takeLease,
} from '../../storage/queries/webhook-leases.ts';
import type { Registry } from '../registry.ts';

/** Who works for an enabled webhook. */
export interface Lease {
  webhookId: string;
  /** Null when nobody does. */
  holder: string | null;
  /** Another one after each renewal. */
  beat: number;
}

export async function listLeases({ storage }: Registry): Promise<Lease[]> {
  const rows = await listStored(storage.reader, {});
  return rows.map(({ id, lease_holder, lease_beat }) => ({ webhookId: id, holder: lease_holder, beat: lease_beat }));
}

/**
 * Keeps the webhooks that a process works for, and makes it work for those of the given leases that nobody has
 * renewed or taken since. Answers the ids of all that it works for.
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

/** Gives all webhooks to other processes, at once. */
export async function releaseWebhooks({ storage }: Registry, { holder }: { holder: string }): Promise<void> {
  await storage.write((transaction) => releaseLeases(transaction, { holder }));
}
