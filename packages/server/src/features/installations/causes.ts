import type { InstallationRow } from '../../storage/tables.ts';
import { installationView } from '../apps/app-view.ts';
import { type DisablingCause, disablingCauses, type OperatorInstallation } from './installation.ts';

/** Why an installation is disabled (decision 28a); empty when it is enabled. */
export function causesOf({ disabled_by: stored }: Pick<InstallationRow, 'disabled_by'>): DisablingCause[] {
  const names = new Set(stored?.split(' '));
  return disablingCauses.filter((cause) => names.has(cause));
}

/** An installation is enabled exactly when no cause is left. */
export function causeColumns(causes: readonly DisablingCause[]): Pick<InstallationRow, 'enabled' | 'disabled_by'> {
  return causes.length === 0 ? { enabled: 1, disabled_by: null } : { enabled: 0, disabled_by: causes.join(' ') };
}

export function withCause(causes: readonly DisablingCause[], cause: DisablingCause): DisablingCause[] {
  return disablingCauses.filter((one) => one === cause || causes.includes(one));
}

export function withoutCause(causes: readonly DisablingCause[], cause: DisablingCause): DisablingCause[] {
  return causes.filter((one) => one !== cause);
}

/** The state of an installation as its events report it. */
export function causeData(causes: readonly DisablingCause[]) {
  return {
    enabled: causes.length === 0,
    ...(causes.length > 0 && { disabledBy: [...causes] }),
    // The next approval enables it only if nothing else disables it.
    ...(causes.join() === 'revocation' && { untilApproved: true }),
  };
}

/** An installation as operators see it. */
export function operatorInstallationView(row: InstallationRow): OperatorInstallation {
  const causes = causesOf(row);
  return { ...installationView(row), ...(causes.length > 0 && { disabledBy: causes }) };
}
