import { globalSetup as skipPostgres } from '@appregistrar/testkit/engines/global-setup';
import { chromiumPath } from './chromium.ts';

/** Before all browser tests: checks that Chromium is installed. They need no PostgreSQL, as a browser sees only HTTP. */
export function globalSetup(): void {
  chromiumPath();
  skipPostgres();
}
