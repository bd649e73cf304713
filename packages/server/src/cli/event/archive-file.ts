import { rm } from 'node:fs/promises';
import type { ArchiveFile } from '../../features/events/archive/archive-file.ts';
import { inputChunks } from '../read-input.ts';
import { fileExists, writeNewFile } from '../write-output.ts';

/** A file of archived events, named on the command line. Throws `CannotRead` and `CannotWrite`. */
export function archiveFile(name: string): ArchiveFile {
  const part = `${name}.part`;
  return {
    name,
    async exists() {
      if (!(await fileExists(name))) return false;
      await rm(part, { force: true });
      return true;
    },
    create: (bytes) =>
      writeNewFile(
        name,
        async (write) => {
          for await (const chunk of bytes) await write(chunk);
        },
        { part },
      ),
    read: () => inputChunks(name),
  };
}
