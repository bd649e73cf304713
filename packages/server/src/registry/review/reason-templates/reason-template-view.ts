import type { EventData } from '../../../contract/event.ts';
import type { ReasonTemplate } from '../../../contract/review/reason-template.ts';
import type { ReasonTemplateRow } from '../../../storage/tables.ts';
import { optional } from '../../apps/app-view.ts';
import { dateTime } from '../../date-time.ts';

export function reasonTemplateView(row: ReasonTemplateRow): ReasonTemplate {
  return {
    id: row.id,
    ...reasonTemplateData(row),
    createdAt: dateTime(row.created_at),
    updatedAt: dateTime(row.updated_at),
  };
}

/** The same in its events. */
export function reasonTemplateData({
  title,
  message,
  code,
}: ReasonTemplateRow): EventData['reason_template.created']['after'] {
  return { title, message, ...optional({ code }) };
}
