declare module 'pgpass' {
  export interface ConnectionInfo {
    host: string;
    port: number;
    database: string;
    user: string;
  }
  /** Finds a password in the file that `PGPASSFILE` names, or in `~/.pgpass`. */
  export default function findPassword(info: ConnectionInfo, found: (password: string | undefined) => void): void;
}
