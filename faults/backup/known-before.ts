import { type InstallationEntry, Ledger, type Outcome, type UpdateEntry } from '../harness/ledger.ts';

/** The changes acknowledged before a backup, which must contain them. It contains any other change completely or not at all. */
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

  /** The ledger to check the backup against, once every change has an outcome. */
  expected({ updates, installations }: Ledger): Ledger {
    const expected = new Ledger();
    const outcome = (isKnown: boolean, recorded: Outcome) => (isKnown || recorded === 'refused' ? recorded : 'unknown');
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
