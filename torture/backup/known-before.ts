import { type InstallationEntry, Ledger, type Outcome, type UpdateEntry } from '../frame/ledger.ts';

/** What was acknowledged before a backup began, which must be in it. Of any other change all or nothing is in it. */
export class KnownBefore {
  readonly count: number;
  readonly #updates: Set<UpdateEntry>;
  readonly #created: Set<InstallationEntry>;
  readonly #deleted: Set<InstallationEntry>;

  constructor({ updates, installations }: Ledger) {
    this.#updates = new Set(updates.filter(({ outcome }) => outcome === 'acknowledged'));
    this.#created = new Set(installations.filter(({ created }) => created === 'acknowledged'));
    this.#deleted = new Set(installations.filter(({ deleted }) => deleted === 'acknowledged'));
    this.count = this.#updates.size + this.#created.size + this.#deleted.size;
  }

  /** The ledger that the backup is held to, once every change of the whole one has been answered. */
  expected({ updates, installations }: Ledger): Ledger {
    const expected = new Ledger();
    const outcome = (isKnown: boolean, told: Outcome) => (isKnown || told === 'refused' ? told : 'unknown');
    for (const entry of updates) {
      expected.updates.push({ ...entry, outcome: outcome(this.#updates.has(entry), entry.outcome) });
    }
    for (const entry of installations) {
      const { deleted, ...made } = { ...entry, created: outcome(this.#created.has(entry), entry.created) };
      if (deleted === undefined) expected.installations.push(made);
      else expected.installations.push({ ...made, deleted: outcome(this.#deleted.has(entry), deleted) });
    }
    return expected;
  }
}
