import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of the system's Chromium. Throws with installation instructions if there is none. */
export function chromiumPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests need the Chromium of the system. On Debian, install it with: apt-get install chromium',
  );
}
