/// <reference lib="esnext.disposable" preserve="true" />
import { sleep } from '../client/attempt.ts';
import { AppRegistryError } from '../client/errors.ts';
import type { OperatorClient } from '../operator/operator-client.ts';
import type { Change, CopiedApp, CopiedInstallation } from './change.ts';
import { Replica } from './replica.ts';

/** How long a request waits for events. A healthy copy has every change that is older than twice this time. */
const waitSeconds = 5;
/** The longest delay between attempts to reach an unreachable registry, after the retries of each. */
const awayMsMax = 10_000;

/**
 * Whether a copy follows its registry. `following`: it is current. `retrying`: the last request failed and is retried.
 * `failed`: it no longer changes, because of an `error` that a retry cannot fix. `closed`: it no longer changes.
 *
 * @example
 * const isReady = (state: CopyState) => state === 'following' || state === 'retrying';
 * console.log(isReady(copy.state));
 */
export type CopyState = 'following' | 'retrying' | 'failed' | 'closed';

/**
 * Which installations of a copy to return: those that match all given ids.
 *
 * @example
 * const filter: InstallationFilter = { workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0' };
 * console.log(copy.installations(filter).length);
 */
export interface InstallationFilter {
  /** Only of this app. */
  appId?: string | undefined;
  /** Only in this workspace. */
  workspaceId?: string | undefined;
}

/** What `sync` passes to a copy. */
interface CopyParts {
  /** Receives each change, once the copy has it. */
  onChange: (change: Change) => void;
  /** Receives each failure. */
  onError: (error: unknown) => void;
  /** Aborted when the copy is closed. */
  ending: AbortController;
}

/**
 * All apps and installations of a registry in memory, kept current. Lookups need no I/O. Returned objects never change:
 * after a change, lookups return another object.
 *
 * @example
 * const copy = await sync(operator);
 * console.log(copy.installation(appId, 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0')?.enabled === true, copy.behindMs);
 * await copy.close();
 */
export class RegistryCopy {
  #state: CopyState = 'following';
  #error: unknown;
  #replica: Replica;
  readonly #operator: OperatorClient;
  readonly #parts: CopyParts;
  readonly #ended: Promise<void>;

  /** Created by `sync`. */
  constructor(operator: OperatorClient, replica: Replica, parts: CopyParts) {
    this.#operator = operator;
    this.#replica = replica;
    this.#parts = parts;
    this.#ended = this.#follow();
  }

  /** An app by its id; undefined when there is none, or when it is deleted. */
  app(id: string): CopiedApp | undefined {
    return this.#replica.apps.get(id);
  }

  /** All apps, in no particular order. */
  apps(): CopiedApp[] {
    return [...this.#replica.apps.values()];
  }

  /** The installation of an app in a workspace, enabled or disabled; undefined if there is none. */
  installation(appId: string, workspaceId: string): CopiedInstallation | undefined {
    return this.#replica.installations.find(appId, workspaceId);
  }

  /** The installations of an app, in a workspace, or all, in no particular order. */
  installations(filter: InstallationFilter = {}): CopiedInstallation[] {
    return this.#replica.installations.list(filter);
  }

  /** Whether the copy follows the registry. */
  get state(): CopyState {
    return this.#state;
  }

  /** The last failure, until a request succeeds again. */
  get error(): unknown {
    return this.#error;
  }

  /**
   * The copy has everything that the feed had this many milliseconds ago. Normally below 10,000, also if nothing
   * changes; it grows while the registry is unreachable.
   */
  get behindMs(): number {
    return performance.now() - this.#replica.currentAt;
  }

  /** The time of the last change that the feed reported, by the clock of the registry; undefined before the first one. */
  get lastEventAt(): string | undefined {
    return this.#replica.lastEventAt;
  }

  /** Stops following. Lookups keep working on the last state. */
  close(): Promise<void> {
    this.#parts.ending.abort();
    return this.#ended;
  }

  /** Closes the copy at the end of a scope with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#parts.ending;
    let isExpired = false;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const changes = isExpired ? await this.#renew() : (await this.#replica.advance(waitSeconds)).changes;
        [this.#state, this.#error, failures, isExpired] = ['following', undefined, 0, false];
        this.#reportChanges(changes);
      } catch (error) {
        if (signal.aborted) break;
        failures += 1;
        isExpired ||= isCursorExpired(error);
        if (!this.#fail(error)) return;
        await sleep(Math.min(awayMsMax, 500 * 2 ** failures) * Math.random(), signal).catch(() => {});
      }
    }
    this.#state = 'closed';
  }

  /** Replaces the old snapshot at once. */
  async #renew(): Promise<Change[]> {
    const replica = await Replica.read(this.#operator, { signal: this.#parts.ending.signal });
    const changes = this.#replica.changesTo(replica);
    this.#replica = replica;
    return changes;
  }

  #reportChanges(changes: Change[]): void {
    for (const change of changes) {
      try {
        this.#parts.onChange(change);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** Whether a retry may succeed. */
  #fail(error: unknown): boolean {
    const isMendable = !isRefusal(error) || isCursorExpired(error);
    [this.#state, this.#error] = [isMendable ? 'retrying' : 'failed', error];
    this.#report(error);
    return isMendable;
  }

  /** An error thrown by `onError` itself ends the program, not the copy. */
  #report(error: unknown): void {
    try {
      this.#parts.onError(error);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }
}

/** Whether the registry itself has refused, as it will again. Anything else may come from a proxy or a failing token function. */
function isRefusal(error: unknown): boolean {
  return AppRegistryError.is(error) && error.problem !== undefined && !error.isRetryable;
}

/** Events could be missing: the registry was restored, or has lost changes. */
function isCursorExpired(error: unknown): boolean {
  return AppRegistryError.is(error) && error.code === 'cursor_expired';
}
