import { readFileSync } from 'node:fs';

/** The version of this program's package. */
export function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
