import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser of the system. Throws, and says what to install, when there is none. */
export function chromiumPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests drive the Chromium of the system, and miss it. On Debian install: apt-get install chromium',
  );
}
