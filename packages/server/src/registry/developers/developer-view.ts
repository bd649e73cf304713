import type { OperatorDeveloper } from '../../contract/developer.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { developerRecord, optional } from '../apps/app-view.ts';
import { dateTime } from '../date-time.ts';

/** A developer as operators see them. */
export function operatorDeveloperView(row: DeveloperRow): OperatorDeveloper {
  const { suspended_at: at, suspension_reason: reason } = row;
  return {
    ...developerRecord(row),
    ...optional({ suspendedAt: at === null ? null : dateTime(at), suspensionReason: reason }),
  };
}
