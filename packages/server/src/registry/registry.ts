import { findEpoch } from '../storage/queries/epoch.ts';
import type { Storage } from '../storage/storage.ts';

export interface RegistrySettings {
  /** Where logo images are, without a slash at the end. */
  logoBaseUrl: string;
  uniqueNames: boolean;
  workspaceIdPrefix: string;
  userIdPrefix: string;
  /** Whether webhooks may also have `http:` addresses and addresses that are not public. */
  webhookAllowPrivate: boolean;
}

/** What every operation works on. */
export interface Registry extends RegistrySettings {
  storage: Storage;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Names this database since it was made or last restored. */
  epoch: string;
}

/** Who asks for a change, as its event tells it. */
export interface Caller {
  /** The id of an access token, `command-line`, or `upkeep` for what a server does by itself. */
  actor: string;
  requestId: string | null;
  /** Makes a repeat of a change get the answer of the first try (decision 23). */
  idempotency?: Idempotency | undefined;
}

interface Idempotency {
  /** Names one change of the caller. */
  key: string;
  /** Called when the answer is that of the first try. */
  onReplay: () => void;
}

export const commandLine: Caller = { actor: 'command-line', requestId: null };

/** A registry on an open database. */
export async function openRegistry(
  storage: Storage,
  settings: RegistrySettings,
  now: () => number = Date.now,
): Promise<Registry> {
  const row = await findEpoch(storage.reader, {});
  if (!row) throw new Error('the database has no epoch');
  return { storage, now, epoch: row.epoch, ...settings };
}
