declare module 'pgpass/lib/helper.js' {
  import type { Stats } from 'node:fs';
  import type { Readable } from 'node:stream';

  export interface ConnectionInfo {
    host: string;
    port: number;
    database: string;
    user: string;
  }
  /** The file that `PGPASSFILE` names, or that in the folder that `HOME` names, or `.pgpass`. */
  export function getFileName(): string;
  /** Whether only its owner can read the file; prints a warning if not. */
  export function usePgPass(stats: Stats, file: string): boolean;
  /** Finds a password in the text of a password file. */
  export function getPassword(info: ConnectionInfo, text: Readable, found: (password?: string) => void): void;
}
