import { hash } from 'node:crypto';
import type {
  DisablingCause,
  Installation,
  OperatorInstallation,
} from '../../packages/server/src/features/installations/installation.ts';

/** `causes`: why it is disabled, in their order. `byOwner`: installed by the app's developer. */
export interface InstalledApp {
  view: Installation;
  causes: readonly DisablingCause[];
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
  /** The digest of what disables them. */
  readonly #causes: bigint;

  static of(all: InstalledApp[]): Installations {
    const shown = all.reduce((sum, { view }) => sum + digestOf(view), 0n);
    const causes = all.reduce((sum, one) => sum + digestOfCauses(one), 0n);
    return new Installations(new Map(all.map((one) => [one.view.id, one])), shown, causes);
  }

  private constructor(all: ReadonlyMap<string, InstalledApp>, shown: bigint, causes: bigint) {
    this.#byId = all;
    this.shown = shown;
    this.#causes = causes;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Equal for equal lists. */
  get key(): string {
    return `${this.shown} ${this.#causes}`;
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
    const causes = this.#causes + digestOfCauses(one) - (before ? digestOfCauses(before) : 0n);
    return new Installations(new Map(this.#byId).set(id, one), shown, causes);
  }

  without(id: string): Installations {
    return Installations.of([...this.#byId.values()].filter(({ view }) => view.id !== id));
  }

  map(change: (one: InstalledApp) => InstalledApp): Installations {
    return Installations.of([...this.#byId.values()].map(change));
  }
}

const allCauses = ['workspace', 'revocation', 'suspension'] as const;

/** Disables an installation for this cause too. */
export function withCause(cause: DisablingCause): (one: InstalledApp) => InstalledApp {
  return ({ causes, ...one }) =>
    disabledBy(
      one,
      allCauses.filter((other) => other === cause || causes.includes(other)),
    );
}

/** Takes this cause away: the installation is enabled when none is left. */
export function withoutCause(cause: DisablingCause): (one: InstalledApp) => InstalledApp {
  return ({ causes, ...one }) =>
    disabledBy(
      one,
      causes.filter((other) => other !== cause),
    );
}

function disabledBy({ view, byOwner }: Omit<InstalledApp, 'causes'>, causes: readonly DisablingCause[]): InstalledApp {
  return { view: { ...view, enabled: causes.length === 0 }, causes, byOwner };
}

/** The installation as operators see it, without what the server alone knows. */
export function operatorViewOf({ view, causes }: InstalledApp): Omit<OperatorInstallation, 'updatedAt' | 'etag'> {
  return { ...view, ...(causes.length > 0 && { disabledBy: [...causes] }) };
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

function digestOfCauses({ view, causes }: InstalledApp): bigint {
  return numberOf([view.id, ...causes].join());
}

function numberOf(text: string): bigint {
  return BigInt(`0x${hash('sha1', text)}`);
}
