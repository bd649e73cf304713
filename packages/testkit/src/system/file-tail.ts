import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

/** The end of a file, which may be larger than the longest string; empty if there is no file. */
export function fileTail(path: string, bytesMax: number): string {
  if (!existsSync(path)) return '';
  const { size } = statSync(path);
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(Math.min(size, bytesMax));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  closeSync(file);
  return bytes.toString();
}
