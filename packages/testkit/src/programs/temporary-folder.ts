import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
/** More than a test run has ever stored at one time, several times over. */
const freeBytesMin = 4 * 2 ** 30;

/**
 * A folder for all temporary files of a test run, in memory: on a disk, databases by the thousand take a third of the time
 * of the run. Undefined where the machine has no such folder or little room in it.
 */
export function temporaryFolderInMemory(): string | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(memory, 'app-registry-'));
  // The user of PostgreSQL passes through it.
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= freeBytesMin;
  } catch {
    return false;
  }
}
