import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes SHA256SUMS, which `sha256sum --check` reads, of the files of a folder. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
