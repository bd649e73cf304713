import { requireSystemPrograms } from 'app-registry-testkit/programs/system-programs';

/** Before the system tests of the client: the browser that they run it in. */
export function globalSetup(): void {
  requireSystemPrograms({ chromium: 'chromium' });
}
