import { requireSystemPrograms } from '../../../server/src/testing/system-programs.ts';

/** Before the system tests of the client: the browser that they run it in. */
export function globalSetup(): void {
  requireSystemPrograms({ chromium: 'chromium' });
}
