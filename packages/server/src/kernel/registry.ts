import type { Storage } from '../storage/storage.ts';
import type { SecretKeys } from './secret-keys.ts';
import type { Clocks } from './time.ts';

export interface RegistrySettings {
  /** The base URL of logo images, without a trailing slash. */
  logoBaseUrl: string;
  workspaceIdPrefix: string;
  userIdPrefix: string;
  /** Whether webhooks may also use `http:` URLs and hosts that are not public. */
  webhookAllowPrivate: boolean;
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
  /** Makes a retry of a change return the result of the first request. */
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

export const tokenKinds = ['developer', 'platform', 'operator'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** The permissions of an operator token. */
export const tokenScopes = ['read', 'portal', 'review', 'install', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The other scopes that a scope includes. */
const includedScopes: Record<TokenScope, readonly TokenScope[]> = {
  read: [],
  portal: ['read'],
  review: ['read'],
  install: [],
  admin: ['read', 'portal', 'review', 'install'],
};

/** The scopes that can use the console, which shows what `read` reads. */
export const consoleScopes = tokenScopes.filter((scope) => allows([scope], 'read'));

/** Whether these scopes allow an operation that needs this one. */
export function allows(scopes: readonly TokenScope[], needed: TokenScope): boolean {
  return scopes.some((scope) => scope === needed || includedScopes[scope].includes(needed));
}

/** Whether these scopes may read the notes of reviewers. A portal may show developers all that it reads. */
export function readsNotes(scopes: readonly TokenScope[]): boolean {
  return !scopes.includes('portal');
}

/** What responses leave out for such a caller without saying so. */
export const hideable = ['claims', 'notes'] as const;
export type Hidden = (typeof hideable)[number];

/** What is hidden from these scopes; absent if nothing is. */
export function hiddenFrom(scopes: readonly TokenScope[]): { hidden?: Hidden[] } {
  return readsNotes(scopes) ? {} : { hidden: [...hideable] };
}

const goodMsMax = 60_000;
/** A result that takes less time is not reused. */
const quickMs = 100;

interface Known<Result> {
  result: Promise<Result>;
  /** By the uptime of the machine. */
  beganAtMs: number;
  /** Infinite while it is made, so that no concurrent caller makes it too. */
  goodMs: number;
}

/**
 * Makes something about a whole registry that is at most a minute old. What is quick is made each time. What is slow is
 * reused for a hundred times as long as it took, so that it takes at most a hundredth of the time.
 */
export function reusedBriefly<Result>(make: (registry: Registry) => Promise<Result>) {
  const known = new WeakMap<Storage, Known<Result>>();
  return (registry: Registry): Promise<Result> => {
    const last = known.get(registry.storage);
    const ageMs = registry.machine.uptimeMs() - (last?.beganAtMs ?? 0);
    return last && ageMs < last.goodMs ? last.result : makeAgain(registry);
  };

  async function makeAgain(registry: Registry): Promise<Result> {
    const { storage, machine } = registry;
    const begun = { beganAtMs: machine.uptimeMs(), result: make(registry), goodMs: Number.POSITIVE_INFINITY };
    known.set(storage, begun);
    try {
      const result = await begun.result;
      const tookMs = machine.uptimeMs() - begun.beganAtMs;
      begun.goodMs = tookMs < quickMs ? 0 : Math.min(100 * tookMs, goodMsMax);
      return result;
    } catch (error) {
      known.delete(storage);
      throw error;
    }
  }
}
