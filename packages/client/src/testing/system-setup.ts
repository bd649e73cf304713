import { requireSystemPrograms } from '@appregistrar/testkit/programs/system-programs';

/** Before the system tests of the client: checks that Chromium is installed. */
export function globalSetup(): void {
  requireSystemPrograms({ chromium: 'chromium' });
}
