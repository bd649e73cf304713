import { globalSetup as startPostgres } from '@appregistrar/testkit/engines/global-setup';
import { chromiumPath } from './chromium.ts';

export { globalTeardown } from '@appregistrar/testkit/engines/global-setup';

/** Before all browser tests: checks that Chromium is installed, and starts PostgreSQL. */
export async function globalSetup(): Promise<void> {
  chromiumPath();
  await startPostgres();
}
