import { type DisablingCause, disablingCauses, type OperatorInstallation } from '../../contract/installation.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { installationView } from '../apps/app-view.ts';

/** An installation with its own id again if it has a revocation mark. */
export interface MarkedInstallationRow extends InstallationRow {
  mark: string | null;
}

/**
 * Why an installation is disabled (decision 28a); empty when it is enabled. Older programs know only whether it is enabled,
 * and the mark of a revocation: so the mark decides about `revocation`, and without any cause it was the workspace.
 */
export function causesOf({ enabled, disabled_by: stored, mark }: MarkedInstallationRow): DisablingCause[] {
  if (enabled === 1) return [];
  const names = new Set(stored?.split(' '));
  const causes = disablingCauses.filter((cause) => (cause === 'revocation' ? mark !== null : names.has(cause)));
  return causes.length === 0 ? ['workspace'] : causes;
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
export function operatorInstallationView(row: MarkedInstallationRow): OperatorInstallation {
  const causes = causesOf(row);
  return { ...installationView(row), ...(causes.length > 0 && { disabledBy: causes }) };
}
