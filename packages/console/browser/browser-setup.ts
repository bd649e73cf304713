import { globalSetup as startPostgres } from '../../server/src/testing/global-setup.ts';
import { chromiumPath } from './chromium.ts';

export { globalTeardown } from '../../server/src/testing/global-setup.ts';

/** Before all browser tests: says what is missing, and starts PostgreSQL. */
export async function globalSetup(): Promise<void> {
  chromiumPath();
  await startPostgres();
}
