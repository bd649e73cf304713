import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import {
  deleteOtherClockObservations,
  findClockObservation,
  replaceClockObservation,
} from '../storage/kernel-queries.ts';
import type { Connection } from '../storage/query.ts';
import type { Storage } from '../storage/storage.ts';
import type { ClockObservationRow } from '../storage/tables.ts';

/** What time it is, and how much time passes. */
export interface Clocks {
  /** Milliseconds since 1970. Can be wrong, and can be set. */
  now: () => number;
  /** Measures durations. */
  machine: HostClock;
}

export interface HostClock {
  /** Another one after each start of the machine. */
  bootId: string;
  /** How long the machine has run, in milliseconds. Never goes back, and stays right when the clock is set. */
  uptimeMs: () => number;
}

export const hostClock: HostClock = { bootId: readBootId(), uptimeMs: () => uptime() * 1_000 };

/** Only Linux has one. Elsewhere each process counts as a machine of its own. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}

/** What the trusted time is made of. */
type TimeSources = Clocks & { storage: Storage };

/** Corrections of an accurate clock are smaller. */
const correctionMsMax = 60_000;
/** How far apart the two readings are that confirm a clock. */
const confirmedAfterMs = 6 * 3_600_000;
/** Machines that are off for longer have to confirm their clock again. */
const observationRetentionMs = 30 * 86_400_000;
/** Before everything that is stored. */
const noTime = 0;

/**
 * The time that decides which data is old enough to delete. A single reading of a clock proves nothing: it counts once
 * an observation six hours earlier, by the uptime of the machine, confirms it. Until then this returns 1970, and
 * nothing is old enough. It is never later than the clock of the database's own machine. Inside a write, give its
 * transaction: another connection might wait for it.
 */
export async function trustedTime(
  { storage, now, machine }: TimeSources,
  connection: Connection = storage.reader,
): Promise<number> {
  const current = { observed_at: now(), uptime_ms: machine.uptimeMs() };
  const earlier = await findClockObservation(connection, { bootId: machine.bootId });
  if (!earlier || !agree(earlier, current)) return noTime;
  if (current.uptime_ms - earlier.uptime_ms < confirmedAfterMs) return noTime;
  const behindMs = -((await storage.measures.clockOffsetMs?.(connection)) ?? 0);
  return behindMs > correctionMsMax ? current.observed_at - behindMs : current.observed_at;
}

/**
 * Records the clock of this machine, unless an earlier observation confirms it. An observation that disagrees with the
 * clock is replaced: one of the two was wrong, so the six hours start again.
 */
export async function observeClock(registry: TimeSources): Promise<void> {
  const { storage, now, machine } = registry;
  const { bootId } = machine;
  await storage.write(async (transaction) => {
    const current = { boot_id: bootId, observed_at: now(), uptime_ms: Math.round(machine.uptimeMs()) };
    const earlier = await findClockObservation(transaction, { bootId });
    if (!earlier || !agree(earlier, current)) await replaceClockObservation(transaction, current);
  });
  const until = (await trustedTime(registry)) - observationRetentionMs;
  await storage.write((transaction) => deleteOtherClockObservations(transaction, { bootId, until }));
}

type Reading = Omit<ClockObservationRow, 'boot_id'>;

/** Whether as much time has passed by the clock as by the uptime of the machine. */
function agree(earlier: Reading, later: Reading): boolean {
  const passedMs = later.uptime_ms - earlier.uptime_ms;
  return Math.abs(later.observed_at - earlier.observed_at - passedMs) <= correctionMsMax;
}
