import { hash } from 'node:crypto';
import type { Installation } from '../../packages/server/src/contract/installation.ts';

/** `revoked`: disabled by a revocation until the next approval. `byOwner`: installed by the app's developer. */
export interface InstalledApp {
  view: Installation;
  revoked: boolean;
  byOwner: boolean;
}

/**
 * The installations of an app in one state. Equal lists have equal digests. A digest is a sum over the installations,
 * so that adding or removing one does not visit the others.
 */
export class Installations {
  readonly #byId: ReadonlyMap<string, InstalledApp>;
  /** The digest of all views. */
  readonly shown: bigint;
  /** The digest of those that the next approval enables. */
  readonly #toRestore: bigint;

  static of(all: InstalledApp[]): Installations {
    const shown = all.reduce((sum, { view }) => sum + digestOf(view), 0n);
    const toRestore = all.reduce((sum, one) => sum + markOf(one), 0n);
    return new Installations(new Map(all.map((one) => [one.view.id, one])), shown, toRestore);
  }

  private constructor(all: ReadonlyMap<string, InstalledApp>, shown: bigint, toRestore: bigint) {
    this.#byId = all;
    this.shown = shown;
    this.#toRestore = toRestore;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Equal for equal lists. */
  get key(): string {
    return `${this.shown} ${this.#toRestore}`;
  }

  get(id: string): InstalledApp | undefined {
    return this.#byId.get(id);
  }

  isIn(workspaceId: string): boolean {
    return [...this.#byId.values()].some(({ view }) => view.workspaceId === workspaceId);
  }

  /** Adds an installation, or replaces the one with its id. */
  with(one: InstalledApp): Installations {
    const { id } = one.view;
    const before = this.#byId.get(id);
    const shown = this.shown + digestOf(one.view) - (before ? digestOf(before.view) : 0n);
    const toRestore = this.#toRestore + markOf(one) - (before ? markOf(before) : 0n);
    return new Installations(new Map(this.#byId).set(id, one), shown, toRestore);
  }

  without(id: string): Installations {
    return Installations.of([...this.#byId.values()].filter(({ view }) => view.id !== id));
  }

  map(change: (one: InstalledApp) => InstalledApp): Installations {
    return Installations.of([...this.#byId.values()].map(change));
  }
}

const digests = new WeakMap<object, bigint>();

/** The digest of a view or a list of views, computed once. */
export function digestOf(shown: Installation | Installation[]): bigint {
  const known = digests.get(shown);
  if (known !== undefined) return known;
  const digest = Array.isArray(shown)
    ? shown.reduce((sum, one) => sum + digestOf(one), 0n)
    : numberOf([shown.id, shown.appId, shown.workspaceId, shown.userId, shown.createdAt, shown.enabled].join());
  digests.set(shown, digest);
  return digest;
}

function markOf({ view, revoked }: InstalledApp): bigint {
  return revoked ? numberOf(view.id) : 0n;
}

function numberOf(text: string): bigint {
  return BigInt(`0x${hash('sha1', text)}`);
}
