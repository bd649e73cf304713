import type { Storage } from '../storage/storage.ts';
import type { SecretKeys } from './secret-keys.ts';
import type { HostClock } from './time.ts';

export interface RegistrySettings {
  /** The base URL of logo images, without a trailing slash. */
  logoBaseUrl: string;
  workspaceIdPrefix: string;
  userIdPrefix: string;
  /** Whether webhooks may also use `http:` URLs and hosts that are not public. */
  webhookAllowPrivate: boolean;
}

/** What time it is, and how much time passes. */
export interface Clocks {
  /** Milliseconds since 1970. Can be wrong, and can be set. */
  now: () => number;
  /** Measures durations. */
  machine: HostClock;
}

/** The context of every operation. */
export interface Registry extends RegistrySettings, Clocks {
  storage: Storage;
  /** Identifies this database since it was created or last restored. */
  epoch: string;
  /** Encrypts the secrets that are stored. */
  secrets: SecretKeys;
}

/** Who makes a change, as its event records it. */
export interface Caller {
  /** The id of an access token, `command-line:` and who runs the command, or `maintenance` for automatic maintenance. */
  actor: string;
  requestId: string | null;
  /** The trace that the request belongs to, as W3C Trace Context writes it. Anyone may send any: it proves nothing. */
  traceparent?: string | undefined;
  /** Why, if the caller says so: a `ChangeReason`. */
  reason?: string | undefined;
  /** Whether webhooks receive the events of its changes; true by default. They are recorded in either case. */
  deliversEvents?: boolean;
  /** Makes a retry of a change return the result of the first request (decision 23). */
  idempotency?: Idempotency | undefined;
}

interface Idempotency {
  /** Identifies one change of the caller. */
  key: string;
  /** The operation and its input: different ones under the same key are refused. */
  content?: readonly unknown[];
  /** Called when the result is that of an earlier request. */
  onReplay: () => void;
}

/** The command line that makes demo data. */
export const commandLine: Caller = { actor: 'command-line:demo', requestId: null };
