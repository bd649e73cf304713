import { hash } from 'node:crypto';

/** Each webhook has as many: the work of one can be shared by up to this many processes. */
export const shardsPerWebhook = 16;

/** The shard of a queue. Never changes: the processes of two releases must agree. */
export function shardOf(queue: string): number {
  return Number.parseInt(hash('sha256', queue).slice(0, 1), shardsPerWebhook);
}
