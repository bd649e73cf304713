import type { DatabaseSync } from 'node:sqlite';
import { gateTokenColumns } from '../queries/access-tokens.ts';
import type { ForeignCommits } from './foreign-commits.ts';

/** Above this number, all rows count as changed. */
const listedMax = 1_000;
/** Stands for all rows. No id looks like it. */
const everyRow = '*';

/**
 * Tracks changes to rows that the gate may have cached. SQLite reports only that another process has written; triggers
 * record the changes of this one, regardless of the statement.
 */
export class SqliteChanges {
  readonly #writer: DatabaseSync;
  readonly #foreign: ForeignCommits;
  #foreignCount: number | undefined;
  /** Changed by statements of the open transaction, and of earlier ones that were rolled back. */
  readonly #open = new Set<string>();
  /** Changed by commits that are not durable yet. */
  readonly #committed = new Set<string>();
  /** Changed by commits that readers see. Undefined until the tables exist. */
  #visible: Set<string> | undefined;

  constructor(writer: DatabaseSync, foreign: ForeignCommits) {
    this.#writer = writer;
    this.#foreign = foreign;
  }

  /** Call it once the tables exist. Until then, every row counts as changed. */
  watch(): void {
    this.#writer.function('record_change', (key) => {
      if (typeof key === 'string') add(this.#open, key);
      return null;
    });
    for (const [table, key, columns] of [
      ['apps', 'id', ['platform_revision', 'platform_revision_stamp']],
      ['access_tokens', 'hash', gateTokenColumns],
    ] as const) {
      for (const change of [`update of ${columns.join(', ')}`, 'delete']) {
        this.#writer.exec(`create temp trigger record_${table}_${change.slice(0, 6)} after ${change} on main.${table}
          begin select record_change(old.${key}); end`);
      }
    }
    // A developer is a part of the platform revision of each of their apps.
    this.#writer.exec(`create temp trigger record_developers_update after update of revision_stamp on main.developers
      when new.revision_stamp is not old.revision_stamp
      begin
        select record_change(id) from (select id from main.apps where developer_id = old.user_id limit ${listedMax + 1});
      end`);
    // With the setting, the platform revision of every app changes.
    this.#writer.exec(`create temp trigger record_settings_update after update of changes_to_approved on main.settings
      begin select record_change('${everyRow}'); end`);
    this.#visible = new Set();
  }

  /** Call it after each commit. Its changes are not taken before it is durable: until then readers see the rows as they were. */
  committed(): void {
    for (const key of this.#open) add(this.#committed, key);
    this.#open.clear();
  }

  /** Call it once all commits are durable. */
  durable(): void {
    if (this.#visible) for (const key of this.#committed) add(this.#visible, key);
    this.#committed.clear();
  }

  /**
   * The ids of apps and hashes of tokens whose rows may have changed since the last call; null when any may have.
   * New rows are not included.
   */
  take(): ReadonlySet<string> | null {
    const foreignCount = this.#foreign.count();
    const changed = this.#visible;
    const isListed =
      changed !== undefined &&
      changed.size <= listedMax &&
      !changed.has(everyRow) &&
      foreignCount === this.#foreignCount;
    this.#foreignCount = foreignCount;
    if (changed?.size) this.#visible = new Set();
    return isListed ? changed : null;
  }
}

function add(keys: Set<string>, key: string): void {
  if (keys.size <= listedMax) keys.add(key);
}
