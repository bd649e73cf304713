import { dateTime } from '../../../../kernel/date-time.ts';
import type { ProtectedNameRow } from '../../../../storage/tables.ts';
import type { EventData } from '../../../events/event.ts';
import type { ProtectedName } from './protected-name.ts';

export function protectedNameView(row: ProtectedNameRow): ProtectedName {
  return { id: row.id, ...protectedNameData(row), createdAt: dateTime(row.created_at) };
}

/** The same in its events. */
export function protectedNameData({
  kind,
  value,
  developer_ids,
  note,
}: ProtectedNameRow): EventData['protected_name.created']['after'] {
  return {
    ...(kind === 'name' ? { name: value } : { host: value }),
    developerIds: JSON.parse(developer_ids),
    ...(note !== null && { note }),
  };
}
