import { globalSetup as startPostgres } from 'app-registry-testkit/engines/global-setup';
import { chromiumPath } from './chromium.ts';

export { globalTeardown } from 'app-registry-testkit/engines/global-setup';

/** Before all browser tests: says what is missing, and starts PostgreSQL. */
export async function globalSetup(): Promise<void> {
  chromiumPath();
  await startPostgres();
}
