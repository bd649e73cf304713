import { hash } from 'node:crypto';

/** Each webhook has this many shards, so up to this many processes can share its work. */
export const shardsPerWebhook = 16;

/** The shard of a queue. Never changes: the processes of two releases must agree. */
export function shardOf(queue: string): number {
  return Number.parseInt(hash('sha256', queue).slice(0, 1), shardsPerWebhook);
}
