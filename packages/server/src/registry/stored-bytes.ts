import { ValueRequired } from '../storage/failure.ts';
import {
  addStoredBytes,
  deleteStoredBytesBefore,
  findMostStoredBytes,
  findStoredBytes,
  storedBytesColumn,
} from '../storage/queries/stored-bytes.ts';
import type { QueryBuilder, Reader, Statement } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import type { EventRow } from '../storage/tables.ts';
import { dateTime } from './date-time.ts';
import { Failure } from './failure.ts';
import type { Registry } from './registry.ts';

const dayMs = 86_400_000;
/** What an event and a key occupy beside their texts, with their entries in indexes. Measured, and rounded up. */
const eventOverheadBytes = 1_000;
export const keyOverheadBytes = 500;

/** The updates of a developer have stored as much as they may in this UTC day. */
export class StoredBytesExceeded extends Failure {
  readonly bytesMax: number;
  readonly bytesLeft: number;
  /** Until the end of the day. */
  readonly secondsLeft: number;

  constructor({ bytesMax, bytesLeft, secondsLeft }: Record<'bytesMax' | 'bytesLeft' | 'secondsLeft', number>) {
    super(
      'too_many_requests',
      `The updates of one developer may store ${bytesMax} bytes a day, of which ${bytesLeft} are left. This update needs more. Nothing was changed. Retry in ${secondsLeft} s.`,
    );
    this.bytesMax = bytesMax;
    this.bytesLeft = bytesLeft;
    this.secondsLeft = secondsLeft;
  }
}

/** What an event occupies in the database. */
export function eventBytes(event: EventRow | null): number {
  if (!event) return 0;
  const { before, after, details, effective } = event;
  const texts = [before, after, details, effective];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), eventOverheadBytes);
}

interface NewBytes {
  developerId: string;
  bytes: number;
}

/** The developers who have reached the limit today, as far as this process knows. */
const exhausted = new WeakMap<Storage, { day: string; developerIds: Set<string> }>();

/**
 * Adds to what the updates of a developer have stored today, if anything. The row is locked until the transaction ends, so
 * this comes last in it. Its failure is one that `orBytesExceeded` knows.
 */
export function countStoredBytes(
  { storedBytesPerDeveloperPerDay: max, now }: Registry,
  builder: QueryBuilder,
  { developerId, bytes }: NewBytes,
): Statement | null {
  if (max === 0 || bytes === 0) return null;
  return addStoredBytes(builder, { day: dayOf(now()), developer_id: developerId, bytes, max });
}

/** Turns the error of a write whose bytes did not fit into `StoredBytesExceeded`; returns any other error unchanged. */
export async function orBytesExceeded(registry: Registry, error: unknown, developerId: string): Promise<unknown> {
  if (!(error instanceof ValueRequired && error.column === storedBytesColumn)) return error;
  const { storage, now } = registry;
  const day = dayOf(now());
  if (exhausted.get(storage)?.day !== day) exhausted.set(storage, { day, developerIds: new Set() });
  exhausted.get(storage)?.developerIds.add(developerId);
  return exceeded(registry, storage.reader, developerId);
}

/** Whether this process has already refused an update of the developer today. */
export function mayExceedStoredBytes({ storage, now }: Registry, { developerId }: NewBytes): boolean {
  const known = exhausted.get(storage);
  return known?.day === dayOf(now()) && known.developerIds.has(developerId);
}

/** Refuses what does not fit any more, before it is written. Throws `StoredBytesExceeded`. */
export async function requireStoredBytes(
  registry: Registry,
  transaction: Reader,
  { developerId, bytes }: NewBytes,
): Promise<void> {
  const refusal = await exceeded(registry, transaction, developerId);
  if (bytes > refusal.bytesLeft) throw refusal;
}

async function exceeded(
  { now, storedBytesPerDeveloperPerDay: bytesMax }: Registry,
  reader: Reader,
  developerId: string,
): Promise<StoredBytesExceeded> {
  const at = now();
  const stored = (await findStoredBytes(reader, { day: dayOf(at), developer_id: developerId }))?.bytes ?? 0;
  return new StoredBytesExceeded({
    bytesMax,
    bytesLeft: Math.max(0, bytesMax - stored),
    secondsLeft: Math.ceil((dayMs - (at % dayMs)) / 1_000),
  });
}

/** The most that the updates of one developer have stored today. */
export async function mostStoredBytes({ storage, now }: Registry): Promise<number> {
  return (await findMostStoredBytes(storage.reader, { day: dayOf(now()) }))?.bytes ?? 0;
}

/** Deletes the counts of earlier days. Keeps yesterday's, which a process with a slower clock may still use. */
export function pruneStoredBytes({ storage, now }: Registry): Promise<number> {
  return storage.write((transaction) => deleteStoredBytesBefore(transaction, { day: dayOf(now() - dayMs) }));
}

function dayOf(time: number): string {
  return dateTime(time).slice(0, 'yyyy-mm-dd'.length);
}
