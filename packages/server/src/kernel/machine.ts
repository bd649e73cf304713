import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

export interface Machine {
  /** Another one after each start of the machine. */
  bootId: string;
  /** How long the machine has run, in milliseconds. Never goes back, and stays right when the clock is set. */
  uptimeMs: () => number;
}

export const thisMachine: Machine = { bootId: readBootId(), uptimeMs: () => uptime() * 1_000 };

/** Only Linux has one. Elsewhere each process counts as a machine of its own. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}
