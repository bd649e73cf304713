/** Is told what a database does as it works. It is quick and never throws. */
export interface StorageObserver {
  /** After a commit: how long it took, and how many writes shared it. */
  committed(commit: { seconds: number; writes: number }): void;
  /** After somebody who found no idle connection has waited for one, also when there was none in the end. */
  waited(seconds: number): void;
}

/** What can be measured of a database, at little cost whatever its size. An engine has what makes sense for it. */
export interface Measures {
  databaseBytes(): Promise<number>;
  /** Of the log that changes are written to first. */
  walBytes?(): Promise<number>;
  /** What is left for the database and its log. */
  diskFreeBytes?(): Promise<number>;
  /** The moment that the last backup holds, in milliseconds since 1970; 0 when none is known. */
  lastBackupAt?(): Promise<number>;
  /** How many wait for a connection, by what for. */
  waiting?(): Promise<Record<string, number>>;
}
