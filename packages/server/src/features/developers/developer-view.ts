import { dateTime } from '../../kernel/date-time.ts';
import { type ResultForm, withoutColumns } from '../../kernel/idempotency.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { developerRecord, optional } from '../apps/app-view.ts';
import type { OperatorDeveloper } from './developer.ts';
import { findDeveloper } from './developer-queries.ts';

/** A developer as operators see them. */
export function operatorDeveloperView(row: DeveloperRow): OperatorDeveloper {
  const { suspended_at: at, suspension_reason: reason } = row;
  return {
    ...developerRecord(row),
    ...optional({ suspendedAt: at === null ? null : dateTime(at), suspensionReason: reason }),
  };
}

/** What a change of a developer returns: their row, and what its response has beside the view of that. */
export type ChangedDeveloper<View extends OperatorDeveloper = OperatorDeveloper> = { row: DeveloperRow } & Omit<
  View,
  keyof OperatorDeveloper
>;

/** Its form, in which it is stored without personal data. */
export function withoutPerson<Changed extends ChangedDeveloper>(userId: string): ResultForm<Changed> {
  return withoutColumns(['email', 'first_name', 'last_name'], (transaction) => findDeveloper(transaction, { userId }));
}
