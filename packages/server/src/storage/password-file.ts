import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What a line of the file is for. */
export interface PasswordUse {
  host: string;
  port: number;
  database: string;
  user: string;
}

/** The file of the user that runs this process; null if there is none. */
export function defaultPasswordFile(): string | null {
  const file = join(homedir(), '.pgpass');
  return existsSync(file) ? file : null;
}

/** Whether no other user may read or write it. */
export function isPrivateFile(file: string): boolean {
  return (statSync(file).mode & 0o077) === 0;
}

/** The password of the first line that matches (PostgreSQL's manual, 32.16, "The Password File"); null without one. */
export function findPassword(file: string, { host, port, database, user }: PasswordUse): string | null {
  // The folder of a Unix socket stands for this machine.
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const fields = fieldsOf(line);
    const isMatch = wanted.every((value, at) => fields[at] === '*' || unescaped(fields[at]) === value);
    if (isMatch && !line.startsWith('#')) return unescaped(fields.slice(wanted.length).join(':')) || null;
  }
  return null;
}

/** They are separated by colons; after a backslash, a colon is part of a field. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|:)((?:\\.|[^:\\])*)/g)].map(([, field = '']) => field);
}

function unescaped(field = ''): string {
  return field.replace(/\\(.)/g, '$1');
}
