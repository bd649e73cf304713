import { readFileSync } from 'node:fs';

/** The version of this program, as its package tells it. */
export function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
