import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why no test can run a program as another user here; false if one can. Only root starts one, and it must read this checkout. */
export function withoutOtherUsers(): string | false {
  if (process.getuid?.() !== 0) return 'needs root';
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return `other users cannot enter ${folder}`;
  }
  return false;
}
