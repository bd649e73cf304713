import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { gateTokenColumns } from '../queries/access-tokens.ts';

/** More are not worth a list. */
const listedMax = 1_000;

/**
 * What has changed of all that the gate may remember. SQLite tells a connection only whether others have written; what
 * this one writes is noted by triggers, whatever statement does it.
 */
export class SqliteChanges {
  readonly #writer: DatabaseSync;
  /** Changes with every commit but those of the connection that asks for it, hence with those of other processes. */
  readonly #dataVersion: StatementSync;
  #version: unknown;
  #changed: Set<string> | undefined;

  constructor(writer: DatabaseSync) {
    this.#writer = writer;
    this.#dataVersion = writer.prepare('pragma data_version');
  }

  /** To be called when the tables are there. Before that, all that was written counts as changed. */
  watch(): void {
    this.#writer.function('note_change', (key) => {
      if (this.#changed && this.#changed.size <= listedMax) this.#changed.add(key as string);
      return null;
    });
    for (const [table, key, columns] of [
      ['apps', 'id', ['platform_revision']],
      ['access_tokens', 'hash', gateTokenColumns],
    ] as const) {
      for (const change of [`update of ${columns.join(', ')}`, 'delete']) {
        this.#writer.exec(`create temp trigger note_${table}_${change.slice(0, 6)} after ${change} on main.${table}
          begin select note_change(old.${key}); end`);
      }
    }
    this.#changed = new Set();
  }

  /**
   * The ids of the apps and the hashes of the tokens whose rows may have changed since this was asked last; null when
   * any may have. That a row is new is not told.
   */
  take(): ReadonlySet<string> | null {
    const version = this.#dataVersion.get()?.data_version;
    const changed = this.#changed;
    const isListed = changed !== undefined && changed.size <= listedMax && version === this.#version;
    this.#version = version;
    // What an open transaction has changed is seen after its end, and is told again then.
    if (changed && !this.#writer.isTransaction) this.#changed = new Set();
    return isListed ? changed : null;
  }
}
