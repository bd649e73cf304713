import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { gateTokenColumns } from '../queries/access-tokens.ts';

/** Above this number, all rows count as changed. */
const listedMax = 1_000;
/** Stands for all rows. No id looks like it. */
const everyRow = '*';

/**
 * Tracks changes to rows that the gate may have cached. SQLite reports only that another connection has written;
 * triggers record the changes of this one, whichever statement makes them.
 */
export class SqliteChanges {
  readonly #writer: DatabaseSync;
  /** Changes with every commit of another connection, hence of another process. */
  readonly #dataVersion: StatementSync;
  #version: unknown;
  #changed: Set<string> | undefined;

  constructor(writer: DatabaseSync) {
    this.#writer = writer;
    this.#dataVersion = writer.prepare('pragma data_version');
  }

  /** Call it once the tables exist. Until then, every row counts as changed. */
  watch(): void {
    this.#writer.function('record_change', (key) => {
      if (typeof key === 'string' && this.#changed && this.#changed.size <= listedMax) this.#changed.add(key);
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
    // With the setting, the platform revision of every app changes.
    this.#writer.exec(`create temp trigger record_settings_update after update of changes_to_approved on main.settings
      begin select record_change('${everyRow}'); end`);
    this.#changed = new Set();
  }

  /**
   * The ids of apps and hashes of tokens whose rows may have changed since the last call; null when any may have.
   * New rows are not included.
   */
  take(): ReadonlySet<string> | null {
    const version = this.#dataVersion.get()?.data_version;
    const changed = this.#changed;
    const isListed =
      changed !== undefined && changed.size <= listedMax && !changed.has(everyRow) && version === this.#version;
    this.#version = version;
    // Changes of an open transaction become visible when it ends, so they are reported again then.
    if (changed && !this.#writer.isTransaction) this.#changed = new Set();
    return isListed ? changed : null;
  }
}
